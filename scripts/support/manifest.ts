import { readFileSync } from 'node:fs';
import { fromRoot } from './paths';
import { type Context, evaluateWhen } from './whenClause';

/** A command that package.json contributes, with its strings from package.nls.json. */
export interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
  readonly enablement?: string;
}

/** An entry of a menu: a command or a submenu. */
export interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

/**
 * The parts of package.json that determine the commands that users can run, with the strings from
 * package.nls.json.
 */
export interface Manifest {
  readonly commands: readonly Command[];
  readonly submenus: readonly { readonly id: string; readonly label: string }[];
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
}

/** Reads the commands and menus in a package.json and resolves their strings. */
export function readManifest(text = readFileSync(fromRoot('package.json'), 'utf8')): Manifest {
  const texts = JSON.parse(readFileSync(fromRoot('package.nls.json'), 'utf8')) as Record<
    string,
    string
  >;
  const resolve = (_: string, value: unknown): unknown =>
    typeof value === 'string'
      ? value.replace(/^%(.*)%$/, (_, key: string) => texts[key] ?? key)
      : value;
  const { contributes } = JSON.parse(text, resolve) as { readonly contributes: Manifest };
  return contributes;
}

/**
 * Lists the entries of a menu in the order in which VS Code shows them. Omits submenus without
 * entries, as VS Code does, and inline icons.
 */
export function listMenu(manifest: Manifest, menu: string, context: Context): readonly MenuEntry[] {
  return (manifest.menus[menu] ?? [])
    .filter(({ when = 'true', group = '', submenu }) => {
      if (group.startsWith('inline') || !evaluateWhen(when, context)) return false;
      return submenu === undefined || listMenu(manifest, submenu, context).length > 0;
    })
    .toSorted((a, b) => (a.group ?? '').localeCompare(b.group ?? '', 'en', { numeric: true }));
}

/** Lists the entries of a node's context menu in the Fleet view. */
export function listNodeMenu(
  manifest: Manifest,
  viewItem: string,
  listMultiSelection = false,
): readonly MenuEntry[] {
  return listMenu(manifest, 'view/item/context', toNodeContext(viewItem, listMultiSelection));
}

/**
 * Returns the context keys that VS Code sets when a signed-in user opens the context menu of a
 * node.
 */
export function toNodeContext(viewItem: string, listMultiSelection = false): Context {
  return {
    view: 'fleetwright.fleet',
    'fleetwright.connected': true,
    'fleetwright.reportsRollouts': true,
    viewItem,
    listMultiSelection,
  };
}

/**
 * Lists the commands in the Command Palette. Clauses of the form `resourcePath in …` are evaluated
 * as false.
 */
export function listPalette({ commands, menus }: Manifest, context: Context): readonly Command[] {
  const clauses = new Map(menus.commandPalette?.map(({ command, when }) => [command, when]));
  return commands.filter(({ command, enablement = 'true' }) =>
    [clauses.get(command) ?? 'true', enablement].every((when) =>
      evaluateWhen(when.replaceAll(/resourcePath in \S+/g, 'false'), context),
    ),
  );
}
