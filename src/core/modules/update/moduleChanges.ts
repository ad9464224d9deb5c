import type { ModuleApp, ModuleModel, RegistryItem } from '../../model/registryItem';
import type { ModuleUpdate } from '../../stores/registryRequests';

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
 * Returns true if an update has the same effect on a module as it had on the earlier state that was
 * shown to the user.
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

/**
 * Formats a value so that equal contents result in the same text, regardless of the order of
 * fields.
 */
function toCanonicalJson(value: object): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(
          Object.entries(one).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : one,
  );
}
