import { hallScan } from '../clouds/hallScan';
import { encodePcd, PCD_FILE } from '../clouds/pcd';
import { encodeImage, IMAGE_FILES } from '../images/encodeImage';
import { hallScene } from '../images/hallScene';
import type { Random } from '../random';
import type { Measure } from '../readings/readingModel';
import { createSourceRandom, type TabularSource, USUAL_SOURCES } from '../readings/tabularSource';
import type { CaptureSource, PartUploads } from './partUploads';

const WIDTH = 320;
const HEIGHT = 240;
const POINTS = 5000;
const QUICKEST_ANSWER_MS = 2;
const SLOWEST_ANSWER_MS = 60;

/** Intervals in seconds for each kind of capture; 0 means never. */
export interface CapturePace {
  readingsEvery: number;
  imagesEvery: number;
  cloudsEvery: number;
}

export interface CaptureOptions {
  partName: string;
  equipment: MachineEquipment;
  pace: CapturePace;
  random: Random;
}

/** Captures and uploads data at the intervals that its pace specifies. */
export class MachineCaptures {
  private readonly next = new Map<keyof CapturePace, number>();
  private readonly sources: readonly { source: TabularSource; measure: Measure }[];

  constructor(private readonly options: CaptureOptions) {
    const { partName, equipment, random } = options;
    this.sources = equipment.sources.map((source) => ({
      source,
      measure: source.model(createSourceRandom(random, partName, source)),
    }));
  }

  /** Captures and uploads the data that is due at a given time. */
  async due(uploads: PartUploads, at: Date, signal: AbortSignal): Promise<void> {
    const { random, equipment } = this.options;
    const { camera, scanner, tags } = equipment;
    if (this.isDue('readingsEvery', at)) {
      for (const { source, measure } of this.sources) {
        const latencyMs = random.wholeBetween(QUICKEST_ANSWER_MS, SLOWEST_ANSWER_MS);
        const reading = { at, latencyMs, payload: measure(at) };
        await uploads.readings(source, [reading], tags, { signal });
      }
    }
    if (camera !== undefined && this.isDue('imagesEvery', at)) {
      const { canvas } = hallScene(random, at, WIDTH, HEIGHT);
      const content = { at, bytes: encodeImage(canvas, 'jpeg'), ...IMAGE_FILES.jpeg };
      await uploads.content(camera, content, tags, { signal });
    }
    if (scanner !== undefined && this.isDue('cloudsEvery', at)) {
      const cloud = hallScan(random, POINTS, 'intensity');
      const content = { at, bytes: encodePcd(cloud, 'binary'), ...PCD_FILE };
      await uploads.stream(scanner, content, tags, { signal });
    }
  }

  private isDue(what: keyof CapturePace, at: Date): boolean {
    const every = this.options.pace[what];
    const now = at.getTime();
    if (every === 0 || now < (this.next.get(what) ?? 0)) return false;
    this.next.set(what, now + every * 1000);
    return true;
  }
}

/** Camera that is directed at the warehouse floor. */
export const HALL_CAMERA: CaptureSource = {
  componentType: 'rdk:component:camera',
  componentName: 'hall-camera',
  methodName: 'GetImages',
};

/** Scanner that measures the warehouse. */
export const HALL_SCANNER: CaptureSource = {
  componentType: 'rdk:component:camera',
  componentName: 'hall-scanner',
  methodName: 'NextPointCloud',
};

/** Data sources of a machine. */
export interface MachineEquipment {
  sources: readonly TabularSource[];
  camera?: CaptureSource | undefined;
  scanner?: CaptureSource | undefined;
  /** Tags of all captured data. */
  tags: readonly string[];
}

/** Equipment of a generic machine. */
export const USUAL_EQUIPMENT: MachineEquipment = {
  sources: USUAL_SOURCES,
  camera: HALL_CAMERA,
  scanner: HALL_SCANNER,
  tags: [],
};
