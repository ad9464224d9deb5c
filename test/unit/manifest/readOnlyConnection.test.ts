import assert from 'node:assert/strict';
import type { DescMethod } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import {
  listMenu,
  listPalette,
  readManifest,
  toNodeContext,
} from '../../../scripts/support/manifest';
import { contextValuesOfTree } from '../../../scripts/support/treeContextValues';
import { isReadOperation } from '../../../src/core/api/readOnly';
import { EVERYTHING, withReadOnly } from '../../../src/core/model/permissions';
import { DataService } from '../../../src/gen/viam/app/data/v1/data_pb';
import { DatasetService } from '../../../src/gen/viam/app/dataset/v1/dataset_pb';
import { DataSyncService } from '../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { MLTrainingService } from '../../../src/gen/viam/app/mltraining/v1/ml_training_pb';
import { AppService } from '../../../src/gen/viam/app/v1/app_pb';
import { commandEffects } from '../../../src/manifest/commandEffects';
import { type CommandId, commands } from '../../../src/manifest/commands';

const manifest = readManifest();
const readOnlyConnection = { 'fleetwright.readOnlyConnection': true };
const nodeMenus = Object.keys(manifest.menus).filter(
  (menu) => menu === 'view/item/context' || menu.startsWith('fleetwright.node.'),
);
const signedIn = { 'fleetwright.connected': true, 'fleetwright.reportsRollouts': true };
const readOnlyTree = contextValuesOfTree(withReadOnly(EVERYTHING, true));

/** Commands that are offered only after another command has prepared or found something. */
const AFTER_OTHERS = [
  'fleetwright.document.acceptMerge',
  'fleetwright.document.overwrite',
  'fleetwright.config.updateVersion',
  'fleetwright.document.restore',
  'fleetwright.document.reviewSave',
];

/**
 * Commands that show resources or documents, and from which users can change them. The change is
 * rejected when it is chosen or saved.
 */
const VIEWS = new Set<string>(
  [
    ...['data.browse', 'location.openSecrets', 'part.openSecrets', 'organization.openSettings'],
    ...['part.openConfig', 'machine.openConfig', 'fragment.openConfig', 'machine.showApiKeys'],
    ...['organization.openMetadata', 'location.openMetadata', 'machine.openMetadata'],
    ...['part.openMetadata', 'resource.showRoles', 'training.show'],
  ].map((id) => `fleetwright.${id}`),
);

function isChanging(command: string | undefined): boolean {
  if (command === undefined || !(command in commandEffects)) return false;
  return !['nothing', 'choice'].includes(commandEffects[command as CommandId]);
}

describe('commands that change something', () => {
  it('include every command of docs/operations.md for an operation that is not a read', () => {
    const services = [AppService, DataService, DatasetService, DataSyncService, MLTrainingService];
    const methods = new Map<string, DescMethod>(
      services.flatMap(({ name, methods: all }) =>
        all.map((method) => [`${name}/${method.name}`, method] as const),
      ),
    );
    let checked = 0;
    for (const line of readFileSync('docs/operations.md', 'utf8').split('\n')) {
      const [, number = '', , rpc = '', editor = ''] = line.split('|').map((cell) => cell.trim());
      const method = methods.get(rpc.replaceAll('`', ''));
      if (!/^\d+$/.test(number) || !method || isReadOperation(method)) continue;
      for (const [, command = ''] of editor.matchAll(/`(fleetwright\.[\w.]+)`/g)) {
        if (!(command in commands) || VIEWS.has(command)) continue;
        assert.ok(isChanging(command), `${command} changes something with ${rpc}.`);
        checked += 1;
      }
    }
    assert.ok(checked > 50, String(checked));
  });

  it('are not in the menus of nodes in a read-only connection', () => {
    for (const viewItem of readOnlyTree) {
      for (const selected of [false, true]) {
        const context = { ...toNodeContext(viewItem, selected), ...readOnlyConnection };
        for (const menu of nodeMenus) {
          for (const { command } of listMenu(manifest, menu, context)) {
            assert.ok(!isChanging(command), `${viewItem}: ${command}`);
          }
        }
      }
    }
  });

  it('are not in the title of the view', () => {
    const context = { ...signedIn, ...readOnlyConnection, view: 'fleetwright.fleet' };
    const entries = listMenu(manifest, 'view/title', context).map(({ command }) => command);
    assert.deepEqual(entries.filter(isChanging), []);
    assert.ok(entries.includes('fleetwright.connection.allowChanges'));
    assert.ok(!entries.includes('fleetwright.connection.makeReadOnly'));
  });

  it('are not in the Command Palette, with or without a document', () => {
    const document = {
      resourceScheme: 'fleetwright',
      resourcePath: '/parts/p/config/p.json',
      'fleetwright.document.readOnly': true,
      'fleetwright.document.changedElsewhere': false,
    };
    for (const editor of [{}, document]) {
      const context = { ...signedIn, ...readOnlyConnection, ...editor };
      const offered = listPalette(manifest, context).map(({ command }) => command);
      assert.deepEqual(offered.filter(isChanging), []);
    }
  });

  it('have a condition that a read-only connection makes false, unless they follow others', () => {
    const conditions = (id: string): readonly string[] => [
      ...(manifest.menus.commandPalette ?? [])
        .filter(({ command }) => command === id)
        .map(({ when = '' }) => when),
    ];
    for (const id of Object.keys(commandEffects).filter(isChanging)) {
      if (AFTER_OTHERS.includes(id) || commandEffects[id as CommandId] === 'pending') continue;
      for (const when of conditions(id)) {
        assert.ok(when === 'false' || when.includes('!fleetwright.readOnlyConnection'), id);
      }
    }
  });
});

describe('a read-only connection', () => {
  it('still offers what only owners can view', () => {
    const offered = new Set(
      listPalette(manifest, { ...signedIn, ...readOnlyConnection }).map(({ command }) => command),
    );
    for (const id of ['training.show', 'resource.openSecrets', 'part.copyCredentials']) {
      assert.ok(offered.has(`fleetwright.${id}`), id);
    }
    const inMenus = new Set(
      readOnlyTree.flatMap((viewItem) =>
        nodeMenus.flatMap((menu) =>
          listMenu(manifest, menu, { ...toNodeContext(viewItem), ...readOnlyConnection }).map(
            ({ command }) => command,
          ),
        ),
      ),
    );
    for (const id of ['training.show', 'machine.showApiKeys', 'part.openSecrets']) {
      assert.ok(inMenus.has(`fleetwright.${id}`), id);
    }
  });
});
