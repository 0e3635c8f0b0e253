/** A recording of rlprobe's recorded anew: its size on the disk is compared. */
import "../contract/replay-main.ts";
