import { toCanonicalJson } from '../../base/canonicalJson';
import { FleetError } from '../api/errors';
import { toDisplayText } from '../model/displayText';
import type { ModuleApp, ModuleModel, RegistryItem } from '../model/registryItem';
import type { KnownVisibility } from '../model/entities';
import type { ModuleUpdate } from '../stores/registryRequests';
import { parseDescriptionLink } from './manifest/manifestPath';
import type { ManifestApp, ManifestModel, ModuleManifest } from './manifest/moduleManifest';
import type { Localizer } from '../../base/localizer';
import { markdownSection } from './manifest/checkSources';

/** Dependencies of an update. */
export interface UpdateDeps {
  /**
   * Reads a text file next to the manifest. @param path relative to the manifest's folder, with `/`
   */
  readonly readSibling: (path: string) => Promise<string>;
  readonly l10n: Localizer;
}

/**
 * Creates the registry update for a module from its manifest. The update doesn't remove anything
 * that the manifest omits. It keeps the module's visibility, even if the manifest specifies a
 * different one, and fields that manifests don't have or that are empty in the manifest.
 *
 * @param current the complete module in the registry
 * @throws FleetError `invalid` if the manifest has no entrypoint or links to a missing Markdown
 *   heading, and errors from `createSiblingReader`
 */
export async function createModuleUpdate(
  manifest: ModuleManifest,
  current: RegistryItem,
  deps: UpdateDeps,
): Promise<ModuleUpdate> {
  const { l10n } = deps;
  if (manifest.entrypoint.trim() === '') {
    throw new FleetError(
      'invalid',
      l10n.t(
        'The manifest has no entrypoint. In "entrypoint", enter the program that starts the module, for example "dist/main".',
      ),
    );
  }
  return {
    visibility: knownVisibility(current, l10n),
    url: manifest.url || current.url,
    description: manifest.description || current.description,
    markdown: (await readMarkdown(manifest.markdownLink, deps)) ?? current.markdown,
    entrypoint: manifest.entrypoint,
    firstRun: manifest.firstRun,
    models: await Promise.all(
      manifest.models.map((model) => mergeModel(model, current.models, deps)),
    ),
    apps: manifest.apps.map((app) => mergeApp(app, current.apps ?? [])),
  };
}

/**
 * Returns a module's visibility, which an update must include. @throws FleetError if a newer
 * service reports an unknown visibility
 */
function knownVisibility(
  { id, visibility }: Pick<RegistryItem, 'id' | 'visibility'>,
  l10n: Localizer,
): KnownVisibility {
  if (visibility !== 'unknown') return visibility;
  throw new FleetError(
    'unsupported',
    l10n.t(
      "This version of Fleetwright doesn't support the visibility of {0}, so it can't preserve it. Update Fleetwright first.",
      id,
    ),
  );
}

async function mergeModel(
  { api, model, shortDescription, markdownLink }: ManifestModel,
  known: readonly ModuleModel[],
  deps: UpdateDeps,
): Promise<ModuleModel> {
  const before = known.find((one) => one.api === api && one.model === model);
  return {
    ...before,
    api,
    model,
    description: shortDescription ?? before?.description,
    markdown: (await readMarkdown(markdownLink, deps)) ?? before?.markdown,
  };
}

function mergeApp({ name, type, entrypoint }: ManifestApp, known: readonly ModuleApp[]): ModuleApp {
  return { ...known.find((app) => app.name === name), name, type, entrypoint };
}

/**
 * Reads the description that a manifest links to; returns undefined if the manifest has no link.
 */
async function readMarkdown(
  markdownLink: string | undefined,
  { readSibling, l10n }: UpdateDeps,
): Promise<string | undefined> {
  const link = parseDescriptionLink(markdownLink);
  if (link === undefined) return undefined;
  const text = await readSibling(link.file);
  if (link.heading === undefined) return text;
  const section = markdownSection(text, link.heading);
  if (section !== undefined) return section;
  throw new FleetError(
    'invalid',
    l10n.t(
      'The manifest links to the heading "{1}", but {0} doesn\'t contain it.',
      toDisplayText(link.file),
      toDisplayText(link.heading),
    ),
  );
}

/** Change that an update makes to a module, in display order. */
export type ModuleChange =
  | {
      readonly field: 'visibility' | 'url' | 'description' | 'entrypoint' | 'firstRun' | 'markdown';
      /** Value before the update; empty if there was none. */
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly field: 'models' | 'apps';
      /** Names of added, removed, and changed entries. */
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
    };

/** Returns the changes that an update makes to a module; empty if it changes nothing. */
export function diffModule(current: RegistryItem, update: ModuleUpdate): readonly ModuleChange[] {
  const texts = (
    ['visibility', 'url', 'description', 'entrypoint', 'firstRun', 'markdown'] as const
  )
    .map((field) => ({ field, before: current[field] ?? '', after: update[field] ?? '' }))
    .filter(({ before, after }) => before !== after);
  const lists = [
    { field: 'models' as const, ...compare(current.models, update.models, modelName) },
    { field: 'apps' as const, ...compare(current.apps ?? [], update.apps ?? [], appName) },
  ].filter(({ added, removed, changed }) => added.length + removed.length + changed.length > 0);
  return [...texts, ...lists];
}

/**
 * Returns true if an update has the same effect on a module as it would have had on the state shown
 * to the user.
 */
export function changesSame(shown: RegistryItem, now: RegistryItem, update: ModuleUpdate): boolean {
  const [before, after] = [shown, now].map((item) => JSON.stringify(diffModule(item, update)));
  return before === after;
}

function modelName({ api, model }: ModuleModel): string {
  return `${model} (${api})`;
}

function appName({ name }: ModuleApp): string {
  return name;
}

function compare<T extends object>(
  before: readonly T[],
  after: readonly T[],
  getName: (one: T) => string,
): Pick<Extract<ModuleChange, { added: unknown }>, 'added' | 'removed' | 'changed'> {
  const earlier = new Map(before.map((one) => [getName(one), one]));
  const later = new Map(after.map((one) => [getName(one), one]));
  return {
    added: [...later.keys()].filter((name) => !earlier.has(name)),
    removed: [...earlier.keys()].filter((name) => !later.has(name)),
    changed: [...later].flatMap(([name, one]) => {
      const known = earlier.get(name);
      return known !== undefined && toCanonicalJson(known) !== toCanonicalJson(one) ? [name] : [];
    }),
  };
}
