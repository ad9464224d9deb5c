import type { BoxStrings } from "./boxStrings";
import type { CloudStrings } from "./cloudStrings";
import type { FrameStrings } from "./frameStrings";
import type { ItemStrings } from "./itemStrings";
import type { ReadingStrings } from "./readingStrings";

/** Everything a data panel says, part by part. */
export interface DataStrings {
  readonly frame: FrameStrings;
  readonly items: ItemStrings;
  readonly boxes: BoxStrings;
  readonly readings: ReadingStrings;
  readonly clouds: CloudStrings;
}
