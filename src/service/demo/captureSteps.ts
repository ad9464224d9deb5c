import { forEachBounded } from '../../base/bounded';
import { hallScan } from '../../simulate/clouds/hallScan';
import { encodePcd, PCD_FILE } from '../../simulate/clouds/pcd';
import { addBoxes } from '../../simulate/fill/fillImages';
import { addToDataset, getCaptureTime, type TimeSpan } from '../../simulate/fill/fillPlan';
import { encodeImage, IMAGE_FILES, withComment } from '../../simulate/images/encodeImage';
import { hallScene, type LabeledBox } from '../../simulate/images/hallScene';
import { Random } from '../../simulate/random';
import { createSourceRandom } from '../../simulate/readings/tabularSource';
import { type CapturedContent, PartUploads } from '../../simulate/machines/partUploads';
import type { CapturesPlan } from './demoData';
import { getPending, type Pending, type Stage, type Step } from './story';
import { cartonScene, type CartonState } from '../../simulate/images/cartonScene';

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 60 * MS_PER_MINUTE;
/** Maximum age of periodic captures in hours, followed by the interval between their uploads. */
const CAPTURE_HOURS = 72;
const UPLOAD_HOURS = 24;
const UPLOADS_AT_ONCE = 4;
const ANSWER_MS = 12;
const IMAGE_WIDTH = 320;
const IMAGE_HEIGHT = 240;
const SCAN_POINTS = 3_000;
/** Time in minutes after which a user reviews captured data. */
const SORTING_MINUTES = 20;

/** One item in a list in a company's `captures.json`. */
type Plan<List extends keyof CapturesPlan> = CapturesPlan[List][number];

/**
 * Creates a company's captured data up to the present, with the labels that its users have added.
 */
export class CaptureSteps {
  private readonly random = new Random('demo fleet');
  private readonly signedIn = new Map<string, Promise<PartUploads>>();

  constructor(
    private readonly stage: Stage,
    private readonly organization: Pending,
  ) {}

  of({ readings, images, imageSeries, inspections, scans }: CapturesPlan): Step[] {
    return [
      ...readings.flatMap((plan) => this.readingSteps(plan)),
      ...images.map((plan) => this.createImageStep(plan)),
      ...imageSeries.flatMap((plan) => this.seriesSteps(plan)),
      ...inspections.map((plan) => this.inspectionStep(plan)),
      ...scans.map((plan) => this.scanStep(plan)),
    ];
  }

  /** Returns uploads at regular intervals. The last upload has just been made. */
  private readingSteps(plan: Plan<'readings'>): Step[] {
    const { part, everyMinutes, tags } = plan;
    const chance = createSourceRandom(this.random, part, plan);
    const times = chance.of('times');
    const measure = plan.model(chance);
    const count = (UPLOAD_HOURS * MS_PER_HOUR) / (everyMinutes * MS_PER_MINUTE);
    return this.uploadSpans().map((span) => {
      const run = async (): Promise<void> => {
        const captured = Array.from({ length: count }, (_, index) => {
          const at = getCaptureTime(span, times, index, count);
          return { at, latencyMs: ANSWER_MS, payload: measure(at) };
        });
        await (await this.getPartUploads(part)).readings(plan, captured, tags);
      };
      return { at: span.end, run };
    });
  }

  /** Like `readingSteps`, but for images, which users have not reviewed. */
  private seriesSteps(plan: Plan<'imageSeries'>): Step[] {
    const { part, everyMinutes, taggedEvery, tags } = plan;
    const chance = this.random.of(`${part} ${plan.componentName} series`);
    const count = (UPLOAD_HOURS * MS_PER_HOUR) / (everyMinutes * MS_PER_MINUTE);
    return this.uploadSpans().map((span, day) => {
      const run = async (): Promise<void> => {
        const uploads = await this.getPartUploads(part);
        const pictures = createImageSeries(chance.of(String(day)), span, count);
        await forEachBounded([...pictures.entries()], UPLOADS_AT_ONCE, async ([index, picture]) => {
          const isTagged = index % taggedEvery === taggedEvery - 1;
          await uploads.content(plan, picture, isTagged ? tags : []);
        });
      };
      return { at: span.end, run };
    });
  }

  private createImageStep(plan: Plan<'images'>): Step {
    const { part, hoursAgo, format, tags, labeled, dataset } = plan;
    const at = this.hoursAgo(hoursAgo);
    const random = this.random.of(`${part} ${plan.componentName} ${String(hoursAgo)}`);
    const run = async (): Promise<void> => {
      const { canvas, objects } = hallScene(random, at, IMAGE_WIDTH, IMAGE_HEIGHT);
      const content = { at, bytes: encodeImage(canvas, format), ...IMAGE_FILES[format] };
      const id = await (await this.getPartUploads(part)).content(plan, content, tags);
      if (labeled) await addBoxes(this.stage.data, id, objects);
      await this.sort([id], dataset);
    };
    return { at: new Date(at.getTime() + SORTING_MINUTES * MS_PER_MINUTE), run };
  }

  private inspectionStep(plan: Plan<'inspections'>): Step {
    const { part, firstHoursAgo, lastHoursAgo, count, dataset } = plan;
    const span = { start: this.hoursAgo(firstHoursAgo), end: this.hoursAgo(lastHoursAgo) };
    const random = this.random.of(`${part} ${plan.componentName} inspections`);
    const run = async (): Promise<void> => {
      const uploads = await this.getPartUploads(part);
      const pictures = createInspectedImages(random, span, count);
      const ids: string[] = [];
      await forEachBounded(pictures, UPLOADS_AT_ONCE, async ({ content, tag, objects }) => {
        const id = await uploads.content(plan, content, [tag]);
        await addBoxes(this.stage.data, id, objects);
        ids.push(id);
      });
      await this.sort(ids, dataset);
    };
    return { at: new Date(span.end.getTime() + SORTING_MINUTES * MS_PER_MINUTE), run };
  }

  private scanStep(plan: Plan<'scans'>): Step {
    const { part, hoursAgo, encoding, tags, dataset } = plan;
    const at = this.hoursAgo(hoursAgo);
    const random = this.random.of(`${part} ${plan.componentName} ${String(hoursAgo)}`);
    const run = async (): Promise<void> => {
      const cloud = hallScan(random, SCAN_POINTS, encoding === 'ascii' ? 'intensity' : 'rgb');
      const content = { at, bytes: encodePcd(cloud, encoding), ...PCD_FILE };
      await this.sort(
        [await (await this.getPartUploads(part)).content(plan, content, tags)],
        dataset,
      );
    };
    return { at: new Date(at.getTime() + SORTING_MINUTES * MS_PER_MINUTE), run };
  }

  private async sort(ids: readonly string[], dataset: string | undefined): Promise<void> {
    if (dataset !== undefined) {
      const { data, datasets } = this.stage;
      const organizationId = this.organization.id;
      await addToDataset({ data, datasets, organizationId }, dataset, ids);
    }
  }

  /** Returns the uploads for a part, which signs in with its own secret like a real part. */
  private getPartUploads(name: string): Promise<PartUploads> {
    const { parts, owner, open } = this.stage;
    const known = this.signedIn.get(name);
    if (known !== undefined) return known;
    const signIn = async (): Promise<PartUploads> => {
      const { part } = await owner.getRobotPart({ id: getPending(parts, name).id });
      return PartUploads.signIn(open, {
        id: part?.id ?? '',
        secret: part?.secrets[0]?.secret ?? '',
      });
    };
    const uploads = signIn();
    this.signedIn.set(name, uploads);
    return uploads;
  }

  /** Returns the time ranges whose captures are uploaded together, in chronological order. */
  private uploadSpans(): TimeSpan[] {
    return Array.from({ length: CAPTURE_HOURS / UPLOAD_HOURS }, (_, index) => {
      const start = CAPTURE_HOURS - index * UPLOAD_HOURS;
      return { start: this.hoursAgo(start), end: this.hoursAgo(start - UPLOAD_HOURS) };
    });
  }

  private hoursAgo(hours: number): Date {
    return new Date(this.stage.now.getTime() - hours * MS_PER_HOUR);
  }
}

/**
 * Number of images that show the same scene. Encoding every image separately would take seconds.
 */
const SAME_SCENE = 16;

/** Returns the images from a fixed camera in a time range. */
function createImageSeries(random: Random, span: TimeSpan, count: number): CapturedContent[] {
  const times = random.of('times');
  let scene: Uint8Array | undefined;
  return Array.from({ length: count }, (_, index) => {
    const at = getCaptureTime(span, times, index, count);
    if (scene === undefined || index % SAME_SCENE === 0) {
      const { canvas } = hallScene(
        random.of(`scene ${String(index)}`),
        at,
        IMAGE_WIDTH,
        IMAGE_HEIGHT,
      );
      scene = encodeImage(canvas, 'jpeg');
    }
    return { at, bytes: withComment(scene, `frame ${String(index + 1)}`), ...IMAGE_FILES.jpeg };
  });
}

/** The images are small so that training on hundreds of them takes only seconds. */
const CARTON_WIDTH = 96;
const CARTON_HEIGHT = 72;
const STATES: readonly CartonState[] = ['intact', 'damaged'];

/** Image with the labels that users have added. */
interface InspectedImage {
  readonly content: CapturedContent;
  readonly tag: CartonState;
  readonly objects: readonly LabeledBox[];
}

/**
 * Returns images of cartons that passed under a camera in a time range. Half of the cartons are
 * intact and half are damaged.
 */
function createInspectedImages(random: Random, span: TimeSpan, count: number): InspectedImage[] {
  const times = random.of('times');
  return Array.from({ length: count }, (_, index) => {
    const tag = STATES[index % STATES.length] ?? 'intact';
    const at = getCaptureTime(span, times, index, count);
    const { canvas, objects } = cartonScene(
      random.of(String(index)),
      tag,
      CARTON_WIDTH,
      CARTON_HEIGHT,
    );
    // JPEG encoding would take ten times as long.
    const bytes = encodeImage(canvas, 'png');
    return { content: { at, bytes, ...IMAGE_FILES.png }, tag, objects };
  });
}
