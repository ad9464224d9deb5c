import { importsOf } from './fragmentImport';

/** The way by which a config uses a fragment. */
export interface FragmentWay {
  /** The fragments it comes through, outermost first; empty when the config names it itself. */
  readonly through: readonly string[];
  /** Every import that leads to it is switched off. */
  readonly disabled: boolean;
}

/** The config of a fragment; undefined when it cannot be read. */
export type ReadFragment = (id: string) => unknown;

/** The shortest way by which a config uses a fragment; undefined when it does not. */
export function findFragmentWay(
  config: unknown,
  id: string,
  read: ReadFragment,
): FragmentWay | undefined {
  const enabled = shortestWay(config, id, read, false);
  if (enabled) return { through: enabled, disabled: false };
  const disabled = shortestWay(config, id, read, true);
  return disabled && { through: disabled, disabled: true };
}

/** The fragments that configs name, and those that these name, however deep. */
export function fragmentsNamedBy(
  configs: readonly unknown[],
  read: ReadFragment,
): ReadonlySet<string> {
  const named = new Set<string>();
  let waiting = configs;
  while (waiting.length > 0) {
    const fresh = waiting
      .flatMap((config) => importsOf(config).map(({ id }) => id))
      .filter((id, index, all) => !named.has(id) && all.indexOf(id) === index);
    for (const id of fresh) named.add(id);
    waiting = fresh.map(read);
  }
  return named;
}

/** A circle ends, since every fragment is looked into once. */
function shortestWay(
  config: unknown,
  id: string,
  read: ReadFragment,
  throughDisabled: boolean,
): readonly string[] | undefined {
  const seen = new Set<string>();
  let level: { readonly config: unknown; readonly through: readonly string[] }[] = [
    { config, through: [] },
  ];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { config: here, through } of level) {
      for (const use of importsOf(here)) {
        if (use.disabled && !throughDisabled) continue;
        if (use.id === id) return through;
        if (seen.has(use.id)) continue;
        seen.add(use.id);
        next.push({ config: read(use.id), through: [...through, use.id] });
      }
    }
    level = next;
  }
  return undefined;
}
