import { displayName, displayText } from '../../../../core/model/displayText';
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
} from '../../../../shared/registryItem';
import type { OwnedItem } from './itemSession';

/** Maximum length of Markdown on a page; a longer text is opened as a document. */
export const LONGEST_MARKDOWN = 60_000;
const LONGEST_TORN = 4_000;
const LONGEST_LINE = 1_000;

/** Localized strings for describing an item. */
export interface ItemWords {
  readonly badges: (item: RegistryItem) => readonly string[];
  /** Returns the facts without empty values. */
  readonly facts: (read: OwnedItem) => readonly PageFact[];
}

/** Converts an item for its page: names on one line, texts within the length limits. */
export function pageItem(read: OwnedItem, words: ItemWords): PageItem {
  const { item, owner } = read;
  const { id, name, models, versions, deprecated } = item;
  const isModule = item.type === 'module';
  const isModel = item.type === 'mlModel';
  return {
    id: displayText(id),
    name: displayName({ name, id }),
    owner: displayText(owner ?? (item.namespace || item.organizationId)),
    badges: words.badges(item),
    ...(deprecated !== undefined && { deprecated: oneLine(deprecated) }),
    url: secureLink(item.url),
    description: oneLine(item.description),
    text: pageText(item.markdown),
    facts: words.facts(read).filter(({ value }) => value !== ''),
    ...(isModule && { models: models.map(pageModel) }),
    versions: versions.map(pageVersion),
    canDeploy: (isModule || isModel) && versions.length > 0,
    hasFigures: isModel && versions.length > 0,
  };
}

function oneLine(text: string): string {
  return displayText(text.trim().replace(/\s+/g, ' '), LONGEST_LINE);
}

function pageText(markdown: string | undefined): PageText | undefined {
  if (markdown === undefined || markdown.trim() === '') return undefined;
  if (markdown.length <= LONGEST_MARKDOWN) return { markdown, isCut: false };
  const beginning = markdown.slice(0, LONGEST_MARKDOWN);
  // Truncates at a line break if there is one nearby, so that no line is split.
  const end = beginning.lastIndexOf('\n');
  const isNear = end > LONGEST_MARKDOWN - LONGEST_TORN;
  return { markdown: isNear ? beginning.slice(0, end) : beginning, isCut: true };
}

function pageModel({ api, model, description = '', markdown }: ModuleModel): PageModel {
  return {
    api: displayText(api),
    model: displayText(model),
    description: oneLine(description),
    text: pageText(markdown),
  };
}

function pageVersion({ version, createdAt, files, deprecated }: RegistryVersion): PageVersion {
  return {
    version: displayText(version),
    ...(createdAt && { createdAt: createdAt.getTime() }),
    ...(deprecated !== undefined && { deprecated: oneLine(deprecated) }),
    files: files.map(({ platform, uploadedAt }) => ({
      platform: displayText(platform),
      ...(uploadedAt && { uploadedAt: uploadedAt.getTime() }),
    })),
  };
}
