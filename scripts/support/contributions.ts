import { readFileSync } from 'node:fs';
import { agentTools } from '../../src/core/agentTools/agentTools';
import { formatSkill, taskPrompts } from '../../src/core/agentTools/taskPrompts';
import { toJsonSchema } from '../../src/core/agentTools/toolSchema';
import { categories, commands } from '../../src/manifest/commands';
import type { CommandSpec } from '../../src/manifest/commandSpec';
import { type MenuGroup, submenus } from '../../src/manifest/menuGroups';
import { menus } from '../../src/manifest/menus';
import { agentsCan, connected } from '../../src/manifest/conditions';
import { all, formatWhen, type When } from '../../src/manifest/whenClauses';
import { fromRoot } from './paths';

type Properties = Readonly<Record<string, unknown>>;

/** Commands sorted by ID. */
const specs: readonly (readonly [string, CommandSpec<readonly unknown[]>])[] = Object.entries(
  commands,
).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Files of the skills for agents, with their text. */
export const skillFiles: Readonly<Record<string, string>> = Object.fromEntries(
  taskPrompts
    .map(formatSkill)
    .map(({ name, markdown }) => [`media/skills/${name}/SKILL.md`, markdown]),
);

/**
 * Renders package.json with the commands, menus, submenus, and keybindings of `src/manifest`, and the
 * tools and skills for agents. The rest of package.json is unchanged.
 */
export function renderPackageJson(): string {
  const manifest = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as {
    readonly contributes: Properties;
  };
  const contributes = {
    ...manifest.contributes,
    commands: specs.map(([id, spec]) => toCommand(id, spec)),
    submenus: Object.entries(submenus).map(([id, label]) => ({ id, label: `%${label}%` })),
    menus: {
      ...Object.fromEntries(
        Object.entries(menus).map(([menu, groups]) => [menu, groups.flatMap(toMenuItems)]),
      ),
      commandPalette: specs.flatMap(([command, { palette }]) => {
        const clause = palette === undefined ? { when: 'false' } : toClause('when', palette);
        return 'when' in clause ? [{ command, ...clause }] : [];
      }),
    },
    languageModelTools: agentTools.map((tool) => {
      const { name, description, input } = tool;
      const shortName = name.replace('fleetwright_', '');
      return {
        name,
        displayName: `%tool.${shortName}%`,
        modelDescription: description,
        toolReferenceName: `fleetwright-${shortName.replaceAll('_', '-')}`,
        canBeReferencedInPrompt: true,
        icon: '$(robot)',
        tags: ['fleetwright'],
        when: formatWhen(
          tool.operation === 'write' ? all(connected, agentsCan(tool.permission)) : connected,
        ),
        inputSchema: toJsonSchema(input),
      };
    }),
    chatSkills: Object.keys(skillFiles).map((path) => ({ path: `./${path}` })),
    keybindings: specs.flatMap(([command, { keybinding }]) =>
      keybinding === undefined
        ? []
        : [{ command, ...keybinding, when: formatWhen(keybinding.when) }],
    ),
  };
  return `${JSON.stringify({ ...manifest, contributes }, undefined, 2)}\n`;
}

function toCommand(command: string, spec: CommandSpec<readonly unknown[]>): Properties {
  const { shortTitle, icon, enablement } = spec;
  const [, area = '', name = ''] = command.split('.');
  const category =
    spec.category ?? (categories as Readonly<Record<string, string | undefined>>)[area];
  return {
    command,
    title: `%command.${area}.${name}%`,
    ...(shortTitle !== undefined && { shortTitle: `%${shortTitle}%` }),
    category: category === undefined ? 'Fleetwright' : `%category.${category}%`,
    ...(icon !== undefined && { icon: `$(${icon})` }),
    ...(enablement !== undefined && toClause('enablement', enablement)),
  };
}

function toMenuItems({ name, first, entries }: MenuGroup): readonly Properties[] {
  return entries.map(({ when, ...target }, index) => {
    const position = first + index;
    return {
      ...target,
      ...toClause('when', when),
      group: position === 0 ? name : `${name}@${position}`,
    };
  });
}

/**
 * Returns an object with the condition as its only property, or an empty object for a condition
 * that is always true.
 */
function toClause<Name extends string>(
  name: Name,
  when: When,
): Readonly<Partial<Record<Name, string>>> {
  const property: Partial<Record<Name, string>> = {};
  if (when.clauses.length > 0) property[name] = formatWhen(when);
  return property;
}
