/** Codes about files as such: what they are, whether they may be read, where links lead. */
import type { WarningCode } from "../../core/format/problems.ts";
import { type CodePage, page } from "./page.ts";

const REST = "Everything else of the run is read.";

export const FILE_PAGES = {
  "empty-file": page(
    "The file has no bytes. A file is empty for a moment when it is created; it stays so when the writer ended right then.",
    [
      "The run is going on, and the file is being written now.",
      "The recorder was killed at that moment.",
      "The disk was full.",
      "A copy was interrupted.",
    ],
    `The file counts as having nothing. ${REST} It is read by itself once it has changed.`,
    ["If the disk was full, later records are missing too: see how far the others go."],
  ),
  "nul-file": page(
    "The file has a length, but all its bytes are zero. Space was set aside for it, and nothing was ever written there.",
    [
      "Power was lost soon after the file was created.",
      "The disk was full when it was filled.",
      "A copy by a tool that sets space aside first was interrupted.",
    ],
    `The file is left out. ${REST}`,
    ["The content is not on this disk. Only a copy can bring it back."],
  ),
  "not-a-regular-file": page(
    "What lies under this name is no ordinary file: a folder, a named pipe, a socket or a device. Opening a pipe waits for ever if nobody writes to it, and some devices never end.",
    [
      "A folder was created where a file belongs, by unpacking or by a script.",
      "A named pipe feeds another program.",
      "The folder was made to do harm.",
    ],
    `It is looked at, never opened. ${REST}`,
    [],
    "$ ls -l steps.parquet\nprw-r--r-- 1 me me 0 Jan  2 03:04 steps.parquet     (a pipe: the p in front)",
  ),
  "permission-denied": page(
    "The file or folder is there, but the user that VS Code runs as may not read it.",
    [
      "The training ran as another user, often root in a container.",
      "The recorder's `umask` keeps others out.",
      "A mount maps users differently.",
    ],
    `It is left out. ${REST} Once it may be read, it is read by itself.`,
    ["A folder needs the right to be entered (x) as well as to be listed (r)."],
    "chmod -R u+rwX,go+rX path/to/run",
  ),
  "io-error": page(
    "The system could not deliver bytes of a file that is there.",
    [
      "A network mount went away or was slow.",
      "The file was removed or replaced while it was read.",
      "A disk is failing: look at the system's log.",
    ],
    `What could not be read is left out. ${REST} It is tried again when the run is opened again or the file changes.`,
    ["Copy the file to a local disk; if that fails as well, it is the disk or the mount."],
  ),
  "stray-file": page(
    "The folder holds a file that is named unlike the files of a recording, such as a copy, a temporary file or a leftover of an editor. Reading it would count its rows twice, or worse.",
    [
      "A copy: `part-00001 (1).parquet`, `shard-00000 copy.parquet`.",
      "A leftover: `.swp`, `.tmp`, `._…` from macOS.",
      "A file of your own beside the recording.",
    ],
    "It is left out and nothing is missed by that. Only `part-<number>.parquet` and `shard-<number>.parquet` count.",
    ["If it is a real part under a wrong name, give it its right one."],
  ),
  "size-limit": page(
    "A file is larger than is read, or claims to hold more than it plausibly can. Limits keep one file from using up the memory that all extensions share. They lie far above what recorders write.",
    [
      "A file of gigabytes: events that repeat without end, one text of hundreds of megabytes.",
      "A damaged Parquet file whose numbers are off.",
      "A file made to unpack to gigabytes.",
    ],
    "What lies within the limits is read: the first and last part of a long `events.jsonl`, the other columns of a Parquet file, the other files of the run. Columns are decoded in at most 512 MB.",
    ["All limits are listed in the description of the format."],
  ),
  "dangling-link": page(
    "The name is a symbolic link, and what it leads to does not exist here.",
    [
      "The run was copied with its links instead of the files.",
      "What it led to was moved, removed, or lies on a mount that is not there now.",
    ],
    `Nothing is read through it. ${REST}`,
    [],
    "cp -rL run-with-links run     (-L copies what links lead to)",
  ),
  "link-outside": page(
    "The name is a symbolic link that leads out of the run's folder. That is common on clusters, where data lies on a scratch disk, but a downloaded folder could lead to any file of yours that way.",
    ["Samples or steps were moved to another disk and linked.", "A folder from somebody else holds links."],
    "Links to whole folders and files of the run's own kind are followed and said; what is read through them is only shown to you, never run or sent anywhere. A rank's folder is never a link.",
    ["Look at where it leads before you trust the content."],
    "$ readlink -f samples\n/scratch/me/run-17/samples",
  ),
  "link-restricted": page(
    "The name is a symbolic link that leads out of the run's folder, or lies behind one. The workspace is not trusted (VS Code calls that Restricted Mode), and a folder from somebody else could lead to any file of yours that way.",
    ["Samples or steps were moved to another disk and linked.", "A folder from somebody else holds links."],
    `It is not followed: nothing of it is read. ${REST} Once the workspace is trusted, it is read by itself, with the warning \`link-outside\`. Links that stay inside of the run are followed in any workspace.`,
    ["Look at where it leads before you trust the workspace."],
    "$ readlink -f samples\n/scratch/me/run-17/samples",
  ),
  "link-loop": page(
    "The name is a link that leads back to itself, or to a folder that it lies in. Following it would never end.",
    ["`ln -s` with the arguments turned around.", "A folder was linked into itself."],
    `It is not followed. ${REST}`,
  ),
  "name-not-utf8": page(
    "A name on the disk is made of bytes that are no UTF-8 text, as older systems wrote them. Most programs cannot name such a file at all.",
    [
      "It was created under another locale, such as Latin-1.",
      "It was unpacked from an archive without its encoding.",
    ],
    "The run is opened by its bytes; odd ones are shown as �.",
    [],
    "convmv -f latin1 -t utf8 --notest path/to/run",
  ),
  "gzip-wrapped": page(
    "The file was packed with gzip as a whole. Parquet files have to be read from their end, and event files from where they last ended, so packed ones cannot be used in place.",
    ["Something archives old runs.", "A download kept the transfer's compression."],
    `It is left out. ${REST}`,
    ["Parquet files are compressed inside already: packing them saves next to nothing."],
    "gunzip -S '' < steps.parquet > steps.unpacked && mv steps.unpacked steps.parquet",
  ),
  "lfs-pointer": page(
    "The repository holds a small text in place of the file, which says where Git LFS can fetch it. It was not fetched here.",
    [
      "The repository was cloned without Git LFS, or with `GIT_LFS_SKIP_SMUDGE=1`.",
      "It was downloaded as an archive from a hosting service.",
    ],
    `Nothing can be read from the pointer. ${REST} Once the file is there, it is read by itself.`,
    [],
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a…\nsize 35038",
  ),
  "html-page": page(
    "The file holds a web page: a server answered with a page for people, and the download saved it under the file's name.",
    ["The download needed a login.", "The link led to a page about the file, not to the file."],
    `It is left out. ${REST}`,
    ["Open the file as text: the page usually says what was wrong."],
  ),
  "encrypted-parquet": page(
    "The Parquet file is encrypted, and there is no key for it here. Flight Deck asks for none.",
    ["A pipeline that stores all its tables encrypted."],
    `It is left out. ${REST}`,
  ),
} as const satisfies Partial<Record<WarningCode, CodePage>>;
