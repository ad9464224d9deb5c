import { hallScan } from '../clouds/hallScan';
import { encodePcd, PCD_FILE } from '../clouds/pcd';
import { encodeImage, IMAGE_FILES } from '../images/encodeImage';
import { hallScene } from '../images/hallScene';
import type { Random } from '../random';
import type { Measure } from '../readings/readingModel';
import type { TabularSource } from '../readings/tabularSource';
import { HALL_CAMERA, HALL_SCANNER } from '../uploads/hallSources';
import type { PartUploads } from '../uploads/partUploads';

const WIDTH = 320;
const HEIGHT = 240;
const POINTS = 5000;
const QUICKEST_ANSWER_MS = 2;
const SLOWEST_ANSWER_MS = 60;

/** How often a machine captures what, in seconds; 0 for never. */
export interface CapturePace {
  readingsEvery: number;
  imagesEvery: number;
  cloudsEvery: number;
}

export interface CaptureOptions {
  uploads: PartUploads;
  sources: readonly { source: TabularSource; measure: Measure }[];
  pace: CapturePace;
  random: Random;
}

/** Captures and uploads what is due. */
export class MachineCaptures {
  readonly #next = new Map<keyof CapturePace, number>();

  constructor(private readonly options: CaptureOptions) {}

  /** Uploads what is due at a moment. */
  async due(at: Date, signal: AbortSignal): Promise<void> {
    const { uploads, sources, random } = this.options;
    if (this.#isDue('readingsEvery', at)) {
      for (const { source, measure } of sources) {
        const latencyMs = random.wholeBetween(QUICKEST_ANSWER_MS, SLOWEST_ANSWER_MS);
        const reading = { at, latencyMs, payload: measure(at) };
        await uploads.readings(source, [reading], [], { signal });
      }
    }
    if (this.#isDue('imagesEvery', at)) {
      const { canvas } = hallScene(random, at, WIDTH, HEIGHT);
      const content = { at, bytes: encodeImage(canvas, 'jpeg'), ...IMAGE_FILES.jpeg };
      await uploads.content(HALL_CAMERA, content, [], { signal });
    }
    if (this.#isDue('cloudsEvery', at)) {
      const cloud = hallScan(random, POINTS, 'intensity');
      const content = { at, bytes: encodePcd(cloud, 'binary'), ...PCD_FILE };
      await uploads.stream(HALL_SCANNER, content, [], { signal });
    }
  }

  #isDue(what: keyof CapturePace, at: Date): boolean {
    const every = this.options.pace[what];
    const now = at.getTime();
    if (every === 0 || now < (this.#next.get(what) ?? 0)) {
      return false;
    }
    this.#next.set(what, now + every * 1000);
    return true;
  }
}
