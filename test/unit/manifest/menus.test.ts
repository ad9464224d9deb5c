import assert from 'node:assert/strict';
import {
  listNodeMenu,
  listPalette,
  type MenuEntry,
  readManifest,
} from '../../../scripts/support/manifest';
import { contextValuesOfTree } from '../../../scripts/support/treeContextValues';
import { NOTHING } from '../../../src/core/model/permissions';

const MAX_NODE_ENTRIES = 12;
const MAX_PALETTE_COMMANDS = 60;

/**
 * Matches a permission only as a whole token, because another permission can start or end with the
 * same word.
 */
const WHOLE_RIGHT =
  /viewItem =~ \/\(\^\|;\)\(?(?:administer|control|readData|readLogs|readSecrets|writeData)(?:\|\w+)*\)?\(;\|\$\)\//;
const READING =
  /\.(?:clear|compare|copy|download|explain|filter|find|open|retry|search|show)[A-Z]?\w*$/;
/** Commands that apply to all selected nodes. */
const FOR_SEVERAL = /^fleetwright\.(?:bulk\.\w+|machine\.showLogs|part\.showLogs)$/;
/**
 * Commands that check the permission themselves, because it depends on a resource to which the node
 * has no reference.
 */
const DECIDED_ELSEWHERE = /^fleetwright\.(?:part\.createFragment|(?:module|model)\.deploy)$/;
const EXPLANATION = 'fleetwright.resource.explainPermissions';

const manifest = readManifest();

describe('menus of the Fleet view', () => {
  const entries = Object.entries(manifest.menus)
    .filter(([menu]) => menu === 'view/item/context' || menu.startsWith('fleetwright.node.'))
    .flatMap(([, items]) => items)
    .filter((entry): entry is MenuEntry & { command: string } => entry.command !== undefined);

  it('hide commands that change something without the permission', () => {
    for (const { command, when = '' } of entries) {
      if (READING.test(command) || DECIDED_ELSEWHERE.test(command)) continue;
      assert.match(when, WHOLE_RIGHT, command);
    }
  });

  it('hide secrets without the permission to read them', () => {
    for (const { command, when = '' } of entries) {
      if (/Secrets$|Credentials$/.test(command)) assert.match(when, /readSecrets/, command);
    }
  });

  it('disable no command because of a missing permission', () => {
    for (const { command, enablement = '' } of manifest.commands) {
      assert.ok(!enablement.includes('viewItem'), command);
    }
  });

  it('offer only commands that support several nodes when several are selected', () => {
    const offered = (manifest.menus['view/item/context'] ?? []).filter(
      ({ when = '', group = '' }) =>
        !group.startsWith('inline') && !when.includes('!listMultiSelection'),
    );
    assert.deepEqual(
      offered.flatMap(({ command = '' }) => (FOR_SEVERAL.test(command) ? [] : command)),
      [],
    );
  });

  it(`have at most ${MAX_NODE_ENTRIES} entries`, () => {
    for (const viewItem of [...contextValuesOfTree(), ...contextValuesOfTree(NOTHING)]) {
      const { length } = listNodeMenu(manifest, viewItem);
      assert.ok(length <= MAX_NODE_ENTRIES, `${viewItem}: ${length}`);
    }
  });

  it('explain missing permissions on every node where the owner has more commands', () => {
    const restricted = contextValuesOfTree(NOTHING);
    for (const [index, viewItem] of contextValuesOfTree().entries()) {
      const listCommands = (value = ''): readonly (string | undefined)[] =>
        listNodeMenu(manifest, value).map(({ command, submenu }) => command ?? submenu);
      const theirs = listCommands(restricted[index]);
      const isMissing = listCommands(viewItem).some((id) => !theirs.includes(id));
      assert.equal(theirs.includes(EXPLANATION), isMissing, viewItem);
      assert.ok(!listCommands(viewItem).includes(EXPLANATION), viewItem);
    }
  });

  it('open the config of a machine with an inline button', () => {
    assert.ok(
      entries.some(
        ({ command, group = '', when = '' }) =>
          command === 'fleetwright.machine.openConfig' &&
          group.startsWith('inline') &&
          /\bmachine\b/.test(when),
      ),
    );
  });
});

describe('Command Palette', () => {
  const signedIn = { 'fleetwright.connected': true, 'fleetwright.reportsRollouts': true };
  const offered = listPalette(manifest, signedIn);
  const hidden = new Set(
    manifest.menus.commandPalette?.filter(({ when }) => when === 'false').map((e) => e.command),
  );

  it(`offers at most ${MAX_PALETTE_COMMANDS} commands when signed in with no editor open`, () => {
    assert.ok(offered.length <= MAX_PALETTE_COMMANDS, String(offered.length));
  });

  it('offers no two commands with the same title', () => {
    const titles = manifest.commands
      .filter(({ command }) => !hidden.has(command))
      .map(({ title }) => title.replace(/…$/, '').toLowerCase());
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });

  it('offers daily tasks without an editor', () => {
    const ids = new Set(offered.map(({ command }) => command));
    const daily = [
      ...['connection.signIn', 'resource.find', 'resource.openConfig'],
      ...['resource.showLogs', 'data.browse', 'query.open', 'module.uploadBuild'],
      ...['registryItem.deploy', 'machine.create', 'training.submit', 'member.invite'],
    ];
    for (const id of daily) assert.ok(ids.has(`fleetwright.${id}`), id);
  });

  it('offers one command for the configs of machines, parts, and fragments', () => {
    const openConfig = offered
      .map(({ command }) => command)
      .filter((command) => command.endsWith('.openConfig'));
    assert.deepEqual(openConfig, ['fleetwright.resource.openConfig']);
  });

  it('hides commands that change the fleet from keys without an owner role', () => {
    const readOnly = listPalette(manifest, { ...signedIn, 'fleetwright.readOnlyKey': true });
    const ids = new Set(readOnly.map(({ command }) => command));
    for (const id of ['machine.create', 'resource.delete', 'training.submit', 'module.create']) {
      assert.ok(!ids.has(`fleetwright.${id}`), id);
    }
    for (const id of ['data.browse', 'resource.restart', 'resource.explainPermissions']) {
      assert.ok(ids.has(`fleetwright.${id}`), id);
    }
  });

  it('offers commands for documents only in their editors', () => {
    const partConfig = {
      ...signedIn,
      resourceScheme: 'fleetwright',
      resourcePath: '/parts/p/config/p.json',
    };
    const inEditor = new Set(listPalette(manifest, partConfig).map(({ command }) => command));
    const inNone = new Set(offered.map(({ command }) => command));
    for (const id of ['part.openResolvedConfig', 'part.addFragment', 'document.saveCopy']) {
      assert.ok(inEditor.has(`fleetwright.${id}`), id);
      assert.ok(!inNone.has(`fleetwright.${id}`), id);
    }
  });
});
