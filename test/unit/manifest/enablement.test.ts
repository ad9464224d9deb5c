import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly enablement?: string }[];
    readonly menus: Readonly<
      Record<
        string,
        readonly { readonly command?: string; readonly when: string; readonly group: string }[]
      >
    >;
  };
}

const { contributes } = JSON.parse(
  readFileSync(join(__dirname, '../../../package.json'), 'utf8'),
) as Manifest;
/** A right as a whole token: another one may begin or end with the same word. */
const WHOLE_RIGHT =
  /viewItem =~ \/\(\^\|;\)\(?(?:administer|control|readData|readLogs|readSecrets|writeData)(?:\|\w+)*\)?\(;\|\$\)\//;
const READING =
  /\.(?:browse|clear|compare|copy|download|explain|filter|find|open|retry|search|show)[A-Z]?\w*$/;
/** Commands that take all selected nodes. */
const FOR_SEVERAL = /^fleetwright\.(?:bulk\.\w+|machine\.showLogs|part\.showLogs)$/;
/** Decided by the organization, about which a part says nothing: the command itself asks. */
const DECIDED_ELSEWHERE = new Set(['fleetwright.part.createFragment']);

describe('enablement of the commands in the menus of the tree', () => {
  const entries = Object.entries(contributes.menus)
    .filter(([menu]) => menu === 'view/item/context' || menu.startsWith('fleetwright.node.'))
    .flatMap(([, items]) => items);
  const inMenus = new Set(entries.flatMap(({ command }) => command ?? []));
  const enablements = new Map(
    contributes.commands.map(({ command, enablement }) => [command, enablement ?? '']),
  );

  it('asks for a right where something is changed, and lets the palette pick first', () => {
    for (const command of inMenus) {
      if (READING.test(command) || DECIDED_ELSEWHERE.has(command)) continue;
      const enablement = enablements.get(command) ?? '';
      assert.match(enablement, WHOLE_RIGHT, command);
      assert.match(enablement, /\(!viewItem \|\|/, command);
    }
  });

  it('asks for the right to read secrets where they are shown', () => {
    for (const command of inMenus) {
      if (!/Secrets$|Credentials$/.test(command)) continue;
      assert.match(enablements.get(command) ?? '', /readSecrets/, command);
    }
  });

  it('offers only commands that take all selected nodes when there are several', () => {
    const offered = (contributes.menus['view/item/context'] ?? []).filter(
      ({ when, group }) => !group.startsWith('inline') && !when.includes('!listMultiSelection'),
    );
    assert.deepEqual(
      offered.flatMap(({ command = '' }) => (FOR_SEVERAL.test(command) ? [] : command)),
      [],
    );
  });
});
