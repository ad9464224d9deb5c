import { displayName, toDisplayText } from '../../../../core/model/displayText';
import type {
  ModuleModel,
  RegistryItem,
  RegistryVersion,
} from '../../../../core/model/registryItem';
import { secureLink } from '../../../../shared/openableLink';
import type {
  PageFact,
  PageItem,
  PageModel,
  PageText,
  PageVersion,
  VersionFiles,
} from '../../../../shared/registryItem';
import type { OwnedItem } from './itemSession';
import type { PackageFileInfo } from '../../../../core/model/registryPackage';

/** Maximum length of Markdown on a page; longer text is opened as a document. */
export const MAX_MARKDOWN_LENGTH = 60_000;
const MAX_TRIM_LENGTH = 4_000;
const MAX_LINE_LENGTH = 1_000;

/** Localized strings for describing an item. */
export interface ItemLabels {
  readonly badges: (item: RegistryItem) => readonly string[];
  /** Returns the facts about an item, omitting facts without values. */
  readonly facts: (read: OwnedItem) => readonly PageFact[];
}

/** Types of items whose versions the extension can upload. */
const UPLOADED: ReadonlySet<string> = new Set(['module', 'trainingScript']);

/**
 * Converts an item to the form that its page displays: names are on one line, and strings are
 * truncated to their maximum lengths.
 * @param hasPermission true if the key can upload a version
 * @param readOnly reason that the connection is read-only; undefined if changes are allowed
 */
export function pageItem(
  read: OwnedItem,
  labels: ItemLabels,
  hasPermission = false,
  readOnly?: string,
): PageItem {
  const { item, owner } = read;
  const { id, name, models, versions, deprecated } = item;
  const isModule = item.type === 'module';
  const isModel = item.type === 'mlModel';
  return {
    id: toDisplayText(id),
    name: displayName({ name, id }),
    owner: toDisplayText(owner ?? (item.namespace || item.organizationId)),
    badges: labels.badges(item),
    ...(deprecated !== undefined && { deprecated: oneLine(deprecated) }),
    url: secureLink(item.url),
    description: oneLine(item.description),
    text: truncateMarkdown(item.markdown),
    facts: labels.facts(read).filter(({ value }) => value !== ''),
    ...(isModule && { models: models.map(pageModel) }),
    versions: versions.map(pageVersion),
    canDeploy: readOnly === undefined && (isModule || isModel) && versions.length > 0,
    ...(readOnly !== undefined && { readOnly }),
    canUpload: hasPermission && UPLOADED.has(item.type) && versions.length === 0,
    hasMetrics: isModel && versions.length > 0,
  };
}

function oneLine(text: string): string {
  return toDisplayText(text.trim().replace(/\s+/g, ' '), MAX_LINE_LENGTH);
}

function truncateMarkdown(markdown: string | undefined): PageText | undefined {
  if (markdown === undefined || markdown.trim() === '') return undefined;
  if (markdown.length <= MAX_MARKDOWN_LENGTH) return { markdown, isCut: false };
  const beginning = markdown.slice(0, MAX_MARKDOWN_LENGTH);
  // Truncates at a nearby line break, if one exists, to avoid splitting a line.
  const end = beginning.lastIndexOf('\n');
  const isNear = end > MAX_MARKDOWN_LENGTH - MAX_TRIM_LENGTH;
  return { markdown: isNear ? beginning.slice(0, end) : beginning, isCut: true };
}

function pageModel({ api, model, description = '', markdown }: ModuleModel): PageModel {
  return {
    api: toDisplayText(api),
    model: toDisplayText(model),
    description: oneLine(description),
    text: truncateMarkdown(markdown),
  };
}

function pageVersion({ version, createdAt, files, deprecated }: RegistryVersion): PageVersion {
  return {
    version: toDisplayText(version),
    ...(createdAt && { createdAt: createdAt.getTime() }),
    ...(deprecated !== undefined && { deprecated: oneLine(deprecated) }),
    files: files.map(({ platform, uploadedAt }) => ({
      platform: toDisplayText(platform),
      ...(uploadedAt && { uploadedAt: uploadedAt.getTime() }),
    })),
  };
}

/**
 * Groups the metadata of archives by version.
 * @param bytesText formats a size
 */
export function versionFiles(
  packages: readonly PackageFileInfo[],
  bytesText: (bytes: number) => string,
): readonly VersionFiles[] {
  const byVersion = Map.groupBy(packages, ({ version }) => version);
  return [...byVersion].map(([version, files]) => ({
    version: toDisplayText(version),
    files: files.map(({ platform, createdOn, sizeBytes }) => ({
      platform: toDisplayText(platform),
      ...(createdOn && { uploadedAt: createdOn.getTime() }),
      ...(sizeBytes !== undefined && { size: bytesText(sizeBytes) }),
    })),
  }));
}
