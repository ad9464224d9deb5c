import * as vscode from 'vscode';
import { Disposable } from '../../../../base/disposable';
import { canceled, FleetError } from '../../../../core/api/errors';
import { wholeContent } from '../../../../core/api/contentStream';
import type { BinaryItem } from '../../../../core/model/binaryItem';
import { binaryDataId, type OrganizationId } from '../../../../core/model/ids';
import { MIN_DETECTION_SCORE, type TrialModel } from '../../../../core/model/modelTrial';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import type { trialMessages, TrialView } from '../../../../shared/data/proposals';
import type { HostHandlers } from '../../../../shared/protocol';
import { trackProgress } from '../../../platform/commands/progress';
import {
  escapeIcons,
  formatBytes,
  formatDateTime,
  toQuickPickText,
} from '../../../platform/text/displayText';
import type { DataSession } from '../dataSession';
import { deletedImage, getTrialMessages, toImageError } from './trialMessages';
import { TrialProcess } from './trialProcess';
import { filesInArchive } from '../../../../archives/fileInArchive';
import type { RegistryStore } from '../../../../core/stores/registryStore';
import { parseTrialModel, TRIAL_FILES } from '../../../../core/training/parseTrialModel';
import { toDisplayText } from '../../../../core/model/displayText';
import type { RegistryItem } from '../../../../core/model/registryItem';
import { pickStep } from '../../../platform/prompts/promptSteps';

/** Maximum size of a file that fits into one message to the process. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

export interface TrialSessionOptions {
  readonly session: Pick<DataSession, 'stores'>;
  /** Path of the bundled program for training processes. */
  readonly program: string;
  /** Returns the keyboard focus to the panel after a prompt. */
  readonly focus: () => void;
}

/** Runs models from the registry on images in a panel. Stores nothing. */
export class TrialSession extends Disposable {
  private last: ModelVersion | undefined;
  private cached: { readonly version: ModelVersion; readonly model: TrialModel } | undefined;

  constructor(private readonly options: TrialSessionOptions) {
    super();
  }

  handlers(): HostHandlers<typeof trialMessages> {
    return { tryModel: ({ id }, signal) => this.tryModel(id, signal) };
  }

  /** Prompts for one of an organization's models. Throws `canceled`. */
  async pickModel(organization: OrganizationId, title: string): Promise<ModelVersion> {
    const { stores } = this.options.session;
    const version = await pickTrialModel(stores, organization, title, this.last);
    this.last = version;
    this.options.focus();
    return version;
  }

  /** Reads a model and starts a process with it, which the caller must dispose of. */
  async start(version: ModelVersion, signal: AbortSignal): Promise<TrialProcess> {
    const { stores } = this.options.session;
    const { cached, options } = this;
    const isCached =
      cached?.version.item.id === version.item.id && cached.version.version === version.version;
    const model = isCached ? cached.model : await readTrialModel(stores.registry, version, signal);
    this.cached = { version, model };
    const { program } = options;
    return TrialProcess.start(model, { program, messages: getTrialMessages(), signal });
  }

  private async getImage(id: string, signal: AbortSignal): Promise<BinaryItem> {
    const { binaryData } = this.options.session.stores;
    const [item] = await binaryData.get([binaryDataId(id)], signal).catch((error: unknown) => {
      throw toImageError(error);
    });
    if (!item) throw deletedImage();
    return item;
  }

  private async tryModel(id: string, left: AbortSignal): Promise<TrialView> {
    const { stores } = this.options.session;
    const item = await this.getImage(id, left);
    const version = await this.pickModel(
      item.source.organizationId,
      vscode.l10n.t('Try Model on Image'),
    );
    const model = formatModelVersion(version);
    return trackProgress(vscode.l10n.t('Running {0}', model), async (canceled) => {
      const signal = AbortSignal.any([left, canceled]);
      await using trial = await this.start(version, signal);
      const predictions = await trial.predict(await readImage(stores, item, signal));
      return { model, task: trial.model.task, minConfidence: MIN_DETECTION_SCORE, predictions };
    });
  }
}

/** Reads an image's content. Throws `unsupported` for an image that is too large. */
export async function readImage(
  { binaryData }: Pick<FleetStores, 'binaryData'>,
  item: BinaryItem,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (item.sizeBytes > MAX_IMAGE_BYTES) {
    throw new FleetError(
      'unsupported',
      vscode.l10n.t(
        'The image is {0}. Select one of at most {1}.',
        formatBytes(item.sizeBytes),
        formatBytes(MAX_IMAGE_BYTES),
      ),
    );
  }
  return wholeContent(await binaryData.content(item, { signal }));
}

/**
 * Maximum file size. The weights of the largest networks that the service trains take up less than
 * 1 MB.
 */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

/**
 * Reads a model from its archive. Throws `unsupported` for models that the fleet service didn't
 * train, because the extension doesn't support their networks.
 */
export async function readTrialModel(
  registry: Pick<RegistryStore, 'package' | 'content'>,
  model: ModelVersion,
  signal: AbortSignal,
): Promise<TrialModel> {
  const info = await registry.package(model.item, model.version, undefined, signal);
  const isOwn = info.files.length <= 1 || info.files.some(({ name }) => toTrialFile(name));
  if (!isOwn) throw unsupported(model);
  const { chunks } = await registry.content(info, { signal });
  const files = await filesInArchive(chunks, toTrialFile, TRIAL_FILES.length, {
    signal,
    maxUnpackedBytes: MAX_UNPACKED_BYTES,
    maxBytes: MAX_FILE_BYTES,
  });
  const parsed = parseTrialModel(files);
  if (!parsed) throw unsupported(model);
  return parsed;
}

/** Returns the name of a top-level file in the archive; undefined if the file isn't needed. */
function toTrialFile(path: string): string | undefined {
  const name = path.replace(/^\.\//, '');
  return TRIAL_FILES.find((file) => file === name);
}

function unsupported(model: ModelVersion): FleetError {
  return new FleetError(
    'unsupported',
    vscode.l10n.t(
      'You can\'t try "{0}" here. Only models trained by the fleet service are supported, not uploaded models or models from training scripts.',
      formatModelVersion(model),
    ),
  );
}

/** Version of a model in the registry. */
export interface ModelVersion {
  readonly item: RegistryItem;
  readonly version: string;
}

interface VersionItem extends vscode.QuickPickItem {
  readonly model: ModelVersion;
}

/**
 * Prompts for one of an organization's models and its version. Throws `canceled`, and `notFound` if
 * there are no models.
 * @param last preselected version.
 */
async function pickTrialModel(
  stores: FleetStores,
  organization: OrganizationId,
  title: string,
  last: ModelVersion | undefined,
): Promise<ModelVersion> {
  const answer = await pickStep(versionItems(stores, organization), {
    title,
    placeholder: vscode.l10n.t('Select a model and its version'),
    active: ({ model }) => model.item.id === last?.item.id && model.version === last.version,
  });
  if (answer.back) throw canceled();
  return answer.item.model;
}

/** Formats a model's name and version for display. */
export function formatModelVersion({ item, version }: ModelVersion): string {
  return `${toDisplayText(item.name)} ${toDisplayText(version)}`;
}

async function versionItems(
  { registry }: FleetStores,
  organization: OrganizationId,
): Promise<readonly VersionItem[]> {
  const listed = await registry.list(organization, { fresh: true });
  const models = await Promise.all(
    listed
      .filter(({ type }) => type === 'mlModel')
      .map((item) => (item.isBrief ? registry.get(item.id) : Promise.resolve(item))),
  );
  const items = models.flatMap((item) =>
    item.versions.map(({ version, createdAt }) => ({
      label: toQuickPickText(`${item.name} ${version}`),
      description: createdAt ? escapeIcons(formatDateTime(createdAt)) : '',
      model: { item, version },
    })),
  );
  if (items.length > 0) return items;
  throw new FleetError(
    'notFound',
    vscode.l10n.t('This organization has no trained model yet. Train one on a dataset first.'),
  );
}
