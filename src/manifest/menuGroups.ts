import type texts from '../../package.nls.json';
import type { CommandId } from './commands';
import { always, inFleetView, severalSelected } from './conditions';
import { all, type NodeWhen, not, type When } from './whenClauses';

/** Submenus, with their label keys in package.nls.json. */
export const submenus = {
  'fleetwright.fleet.groupBy': 'submenu.groupBy',
  'fleetwright.node.config': 'submenu.config',
  'fleetwright.node.data': 'submenu.data',
  'fleetwright.node.new': 'submenu.new',
  'fleetwright.node.deploy': 'submenu.deploy',
  'fleetwright.node.access': 'submenu.access',
  'fleetwright.node.copy': 'submenu.copy',
} as const satisfies Readonly<Record<string, keyof typeof texts>>;

export type SubmenuId = keyof typeof submenus;

/** Menu entry, which VS Code shows only if its condition is true. */
type MenuEntry<Condition extends When = When> = {
  readonly when: Condition;
} & ({ readonly command: CommandId } | { readonly submenu: SubmenuId });

/**
 * Entries in the order in which VS Code shows them. VS Code sorts groups by name, with `navigation`
 * first, and separates them with lines. In toolbars, the entries in the group `navigation` are
 * icons; in tree nodes, those in the group `inline` are. VS Code merges groups with the same name,
 * each of which applies to different nodes or editors.
 */
export interface MenuGroup {
  readonly name: string;
  /**
   * Position of the first entry, relative to entries from VS Code and other extensions, whose
   * default position is 0.
   */
  readonly first: number;
  readonly entries: readonly MenuEntry[];
}

export function item(command: CommandId): MenuEntry;
export function item<Condition extends When>(
  command: CommandId,
  when: Condition,
): MenuEntry<Condition>;
export function item(command: CommandId, when: When = always): MenuEntry {
  return { command, when };
}

export const submenu = <Condition extends When>(
  id: SubmenuId,
  when: Condition,
): MenuEntry<Condition> => ({
  submenu: id,
  when,
});

export const group = (name: string, entries: readonly MenuEntry[], first = 1): MenuGroup => ({
  name,
  first,
  entries,
});

/** Group in the title of the Fleet view. */
export const titleGroup = (name: string, entries: readonly MenuEntry[]): MenuGroup =>
  group(
    name,
    entries.map((entry) => ({ ...entry, when: all(inFleetView, entry.when) })),
  );

/** Icons of nodes in the Fleet view. */
export const inline = (entries: readonly MenuEntry<NodeWhen>[]): MenuGroup =>
  titleGroup('inline', entries);

/**
 * Group in the context menu of nodes in the Fleet view. If several nodes are selected, it contains
 * only the entries that allow multiple selection.
 */
export const nodeGroup = (name: string, entries: readonly MenuEntry<NodeWhen>[]): MenuGroup =>
  titleGroup(
    name,
    entries.map((entry) => ({
      ...entry,
      when: entry.when.allowsSelections ? entry.when : all(entry.when, not(severalSelected)),
    })),
  );
