/** The recorder's thread beside the bundles that are measured. */
import "../../src/recorder/thread.ts";
