import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DocumentAddress } from '../../src/core/documents/documentAddress';
import { fragmentId, organizationId, type PartId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { formatResolveProblem } from '../../src/core/configChecks/formatResolveProblem';
import { ResolvedFileSystem } from '../../src/host/features/fragments/resolvedFileSystem';
import { ResolvedHints } from '../../src/host/features/fragments/fragments.feature';
import {
  documentUri,
  parseResolvedAddress,
  resolvedUri,
} from '../../src/host/platform/documents/documentUris';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';

const HOSTILE = '[x](command:workbench.action.quit) $(id)';

describe('resolved configs in a real extension host', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let files: ResolvedFileSystem;
  let part: PartId;
  let fragment: string;
  let config: vscode.Uri;
  let uri: vscode.Uri;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'rover');
    part = await stores.parts.create(machine, 'second');
    const text = '{"components": [{"name": "eye"}]}';
    fragment = (await stores.fragments.create(organization, HOSTILE, text)).id;
    await save({ debug: true, fragments: [{ id: fragment, prefix: 'left' }] });
    const address: DocumentAddress = {
      connectionId: sessions.connectionToFleet.id,
      subject: { type: 'partConfig', id: part },
    };
    config = documentUri(address, ['My Fleet', 'rover', 'second']);
    uri = resolvedUri(config);
    assert.deepEqual(parseResolvedAddress(vscode.Uri.parse(uri.toString())), address);
    files = new ResolvedFileSystem(sessions);
  });

  afterEach(async () => {
    files.dispose();
    sessions.dispose();
    await fleet.close();
  });

  async function save(value: unknown): Promise<void> {
    fleet.clock.advance(1_000);
    const configText = JSON.stringify(value);
    await stores.parts.updateConfig(part, { name: 'second', configText });
  }

  const read = async (): Promise<string> => new TextDecoder().decode(await files.readFile(uri));
  const changed = (): Promise<unknown> =>
    new Promise((resolve) => {
      const listening = files.onDidChangeFile(() => resolve(listening.dispose()));
    });

  it('are read-only files', async () => {
    assert.deepEqual(JSON.parse(await read()), { debug: true, components: [{ name: 'left-eye' }] });
    const { permissions, size, type } = await files.stat(uri);
    assert.deepEqual([permissions, type], [vscode.FilePermission.Readonly, vscode.FileType.File]);
    assert.equal(size, Buffer.byteLength(await read()));
    assert.equal((await files.stat(uri.with({ path: '/parts' }))).type, vscode.FileType.Directory);
    assert.throws(() => files.writeFile(), vscode.FileSystemError);
    const other = uri.with({ path: uri.path.replace('/parts/', '/fragments/') });
    await assert.rejects(async () => files.readFile(other), { code: 'FileNotFound' });
  });

  it('are updated when the config or its fragments are saved', async () => {
    await read();
    assert.equal(fleet.calls.get('ListMachineFragments'), 1);
    const before = (await files.stat(uri)).mtime;
    let change = changed();
    await stores.fragments.updateConfig(fragmentId(fragment), {
      name: HOSTILE,
      configText: '{"components": [{"name": "ear"}]}',
    });
    await change;
    assert.match(await read(), /left-ear/);
    assert.ok((await files.stat(uri)).mtime > before);
    change = changed();
    await save({ debug: false });
    await change;
    assert.deepEqual(JSON.parse(await read()), { debug: false });
  });

  it('name the source fragment in a hover, as text', async () => {
    const text = await read();
    const document = await vscode.workspace.openTextDocument({ language: 'json', content: text });
    const hints = new ResolvedHints(files);
    const fake = new Proxy(document, {
      get: (target, key) => (key === 'uri' ? uri : (Reflect.get(target, key) as unknown)),
    });
    const at = (word: string) => hints.provideHover(fake, document.positionAt(text.indexOf(word)));
    const [hover] = at('left-eye')?.contents ?? [];
    assert.ok(hover instanceof vscode.MarkdownString);
    assert.equal(hover.isTrusted, undefined);
    assert.doesNotMatch(hover.value, /(?<!\\)\[x(?<!\\)\]\(command/);
    assert.equal(at('debug'), undefined);
    assert.match(hints.provideCodeLenses(fake)[0]?.command?.title ?? '', /Read-only/);
  });

  it('describe every problem', () => {
    const name = (id: string) => (id === 'known' ? 'Rover' : undefined);
    const problem = {
      kind: 'cycle',
      path: [],
      fragments: ['known', 'x'],
      subject: 'known',
    } as const;
    assert.equal(
      formatResolveProblem(problem, name, vscode.l10n),
      'In "Rover" › x: The fragment "Rover" contains itself.',
    );
    assert.equal(
      formatResolveProblem(
        { ...problem, kind: 'unknownFragment', fragments: [] },
        name,
        vscode.l10n,
      ),
      'The fragment "Rover" doesn\'t have this version.',
    );
  });
});
