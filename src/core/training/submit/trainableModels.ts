import type { RegistryItem } from '../../model/registryItem';
import { parseSemanticVersion } from '../../model/semanticVersion';
import type { TrainingJob } from '../../model/trainingJob';
import { proposedVersion } from '../../modules/upload/versionProblem';

/**
 * Versions that consist of small numbers, such as `1.1`, `v3`, and `7`. Longer numbers are
 * timestamps.
 */
const COUNTED = /^v?\d{1,6}(?:\.\d{1,6})*$/;

type KnownItem = Pick<RegistryItem, 'name' | 'type' | 'versions'>;
type KnownJob = Pick<TrainingJob, 'modelName' | 'modelVersion' | 'status'>;

/** An organization's model that is known from the registry or from training jobs. */
export interface TrainableModel {
  readonly name: string;
  /** Versions that a new training job can't use, starting with the newest in the registry. */
  readonly taken: readonly string[];
  /** Versions of failed training jobs. Services differ in whether these versions can be reused. */
  readonly failed: readonly string[];
}

/**
 * Names and versions of an organization's models. Used to choose the names and versions of new
 * models.
 */
export class TrainableModels {
  private readonly models: ReadonlyMap<string, TrainableModel>;
  private readonly others: ReadonlyMap<string, KnownItem>;
  /** Names of models that are in the registry or that jobs in progress will create. */
  private readonly existing: ReadonlySet<string>;

  constructor(items: readonly KnownItem[], jobs: readonly KnownJob[]) {
    const ofModels = items.filter(({ type }) => type === 'mlModel');
    const names = [...ofModels.map(({ name }) => name), ...jobs.map(({ modelName }) => modelName)];
    this.others = new Map(
      items.filter(({ type }) => type !== 'mlModel').map((item) => [item.name, item]),
    );
    this.existing = new Set([
      ...ofModels.map(({ name }) => name),
      ...jobs.filter((job) => !isOver(job)).map(({ modelName }) => modelName),
    ]);
    this.models = new Map(
      names.map((name) => {
        const item = ofModels.find((one) => one.name === name);
        const ofModel = jobs.filter(({ modelName }) => modelName === name);
        return [name, toTrainableModel(name, item, ofModel)];
      }),
    );
  }

  /** Models to which versions can be added, sorted by name. */
  get all(): readonly TrainableModel[] {
    return [...this.models.values()]
      .filter(({ name }) => this.existing.has(name))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Returns the existing model with a name, or a new model. */
  named(name: string): TrainableModel {
    return this.models.get(name) ?? { name, taken: [], failed: [] };
  }

  has(name: string): boolean {
    return this.existing.has(name);
  }

  /**
   * Returns true if a registry item of another type has this name, in which case models can't use
   * it.
   */
  isUsedByOtherItem(name: string): boolean {
    return this.others.has(name) && !this.has(name);
  }

  isTaken(name: string, version: string): boolean {
    return this.named(name).taken.includes(version);
  }

  /** Proposes a version that has never been used for training this model. */
  nextVersion(name: string): string {
    const { taken, failed } = this.named(name);
    const tried = [...taken, ...failed];
    return countedOn(tried) ?? proposedVersion(tried);
  }
}

function isOver({ status }: KnownJob): boolean {
  return status === 'failed' || status === 'canceled';
}

/**
 * Returns the next version of a model whose versions consist of small numbers; undefined for other
 * formats.
 */
function countedOn(versions: readonly string[]): string | undefined {
  if (versions.some((version) => parseSemanticVersion(version))) return undefined;
  const order = new Intl.Collator('en', { numeric: true });
  const counted = versions.filter((version) => COUNTED.test(version));
  const newest = counted.toSorted((one, other) => order.compare(one, other)).at(-1);
  return newest?.replace(/\d+$/, (last) => String(Number(last) + 1));
}

function toTrainableModel(
  name: string,
  item: KnownItem | undefined,
  jobs: readonly KnownJob[],
): TrainableModel {
  const getVersions = (some: readonly KnownJob[]): readonly string[] =>
    some.map(({ modelVersion }) => modelVersion);
  const stored = (item?.versions ?? []).map(({ version }) => version);
  const inProgress = getVersions(jobs.filter((job) => !isOver(job)));
  return {
    name,
    taken: [...new Set([...stored, ...inProgress])],
    failed: [...new Set(getVersions(jobs.filter(isOver)))],
  };
}
