/** The recorder's thread as it is, with a disk at whose calls the process can be killed. Bundled as recorder-thread.cjs. */
import "./killed-thread-disk.ts";
import "../../src/recorder/thread.ts";
