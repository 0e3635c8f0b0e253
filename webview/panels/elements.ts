/** Every element of the run editor but those of its header. */
import "../samples/fd-samples-tab.ts";
import "../timeline/fd-timeline.ts";
import "../ui/controls.ts";
import "./fd-charts.ts";
import "./fd-config.ts";
import "./fd-events.ts";
import "./fd-findings.ts";
import "./fd-records.ts";
