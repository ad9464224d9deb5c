import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { raceAbort } from '../../src/base/cancellation';
import { englishLocalizer } from '../../src/base/localizer';
import { FleetError } from '../../src/core/api/errors';
import { checkConfig } from '../../src/core/configChecks/checkConfig';
import { parseEditedConfigInSteps } from '../../src/core/documents/resolvedText';
import { fragmentId, organizationId, type PartId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { ConfigChecks } from '../../src/host/features/configChecks/configChecks';
import { ConfigNames, ScheduleHover } from '../../src/host/features/configChecks/configLanguage';
import { ConfigOutline } from '../../src/host/features/configChecks/configOutline';
import { DeployFixes } from '../../src/host/features/configChecks/deployFixes';
import { FleetCatalogs } from '../../src/host/features/configChecks/fleetCatalogs';
import { FleetCompletion } from '../../src/host/features/configChecks/fleetCompletion';
import { FleetLinks } from '../../src/host/features/configChecks/fleetLinks';
import { ParsedConfigs } from '../../src/host/features/configChecks/parsedConfigs';
import { updateVersion } from '../../src/host/features/configChecks/updateVersion';
import { documentUri } from '../../src/host/platform/documents/documentUris';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { createPublicModule, withRegistryPages } from '../support/pagedRegistry';
import { TestSessions } from '../support/testSessions';
import { waitUntil } from '../support/waitUntil';

// Misspelled on purpose: cspell:ignore frmae

const UNCHECKED = { diagnostics: [], resolved: undefined, modules: new Map() };

async function* readArchive(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode('archive'));
}

describe('the checks of configs in a real extension host', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let part: PartId;
  let fragment: string;
  let uri: vscode.Uri;
  let checks: ConfigChecks;
  let configs: ParsedConfigs;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'rover');
    part = await stores.parts.create(machine, 'second');
    const shared = '{"components": [{"name": "eye", "type": "camera", "model": "fake"}]}';
    fragment = (await stores.fragments.create(organization, 'Eyes', shared)).id;
    const subject = { type: 'partConfig', id: part } as const;
    const address = { connectionId: sessions.connectionToFleet.id, subject };
    uri = documentUri(address, ['My Fleet', 'rover', 'second']);
    configs = new ParsedConfigs();
    checks = new ConfigChecks(sessions, configs);
  });

  afterEach(async () => {
    checks.dispose();
    sessions.dispose();
    await fleet.close();
  });

  /** Opens a text as a document with the URI of a config, which only its connection could open. */
  async function openAs(of: vscode.Uri, content: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    return new Proxy(document, {
      get: (target, key) => (key === 'uri' ? of : (Reflect.get(target, key) as unknown)),
    });
  }

  it('mark errors in the text and in the use of fragments', async () => {
    const text = JSON.stringify({
      components: [
        { name: 'arm', type: 'arm', model: 'fake', depends_on: ['eye', 'ear'], frmae: {} },
      ],
      fragments: [
        { id: fragment, variables: { speed: 1 } },
        { id: fragment, prefix: 'left' },
      ],
    });
    await checks.check(await openAs(uri, text));
    const messages = (): string[] =>
      vscode.languages
        .getDiagnostics(uri)
        .filter(({ source }) => source === 'Fleetwright')
        .map(({ message }) => message)
        .toSorted();
    assert.deepEqual(
      messages(),
      [
        '"frmae" has no effect here. Did you mean "frame"?',
        'The fragment has no variable "speed".',
        'This config has no component or service named "ear".',
      ].toSorted(),
    );
  });

  it('mark errors in nested fragments, such as a cycle', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id } = await stores.fragments.create(organization, 'Head', '{}');
    const nested = JSON.stringify({ fragments: [id], components: [] });
    const { id: neck } = await stores.fragments.create(organization, 'Neck', nested);
    const subject = { type: 'fragmentConfig', id } as const;
    const address = { connectionId: sessions.connectionToFleet.id, subject };
    const headUri = documentUri(address, ['My Fleet', 'Head']);
    /** Returns the severity, the text, and the message of each diagnostic, by message. */
    const check = async (fragments: readonly unknown[]): Promise<string[][]> => {
      const name = { $variable: { name: 'hand' } };
      const components = [
        { name: 'arm', type: 'arm', model: 'fake', depends_on: ['eye', 'ear'] },
        { name, type: 'gripper', model: 'fake' },
      ];
      const document = await openAs(headUri, JSON.stringify({ components, fragments }));
      await checks.check(document);
      return vscode.languages
        .getDiagnostics(headUri)
        .filter(({ source }) => source === 'Fleetwright')
        .map(({ message, severity, range }) => [
          message,
          vscode.DiagnosticSeverity[severity],
          document.getText(range),
        ])
        .toSorted();
    };
    const unknownName = 'This config has no component or service named "ear".';
    assert.deepEqual(await check([{ id: fragment, variables: { speed: 1 } }]), [
      ['The fragment has no variable "speed".', 'Warning', '"speed"'],
      [unknownName, 'Information', '"ear"'],
    ]);
    const own = { id, prefix: 'own' };
    assert.deepEqual(await check([fragment, { id: neck }, own]), [
      ['In "Neck": The fragment "Head" contains itself.', 'Error', JSON.stringify({ id: neck })],
      ['The fragment "Head" contains itself.', 'Error', JSON.stringify(own)],
    ]);
  });

  it('parse a version once for all language features', async () => {
    const parsed: string[] = [];
    configs.dispose();
    checks.dispose();
    configs = new ParsedConfigs({
      parse: (text) => {
        parsed.push(text);
        return parseEditedConfigInSteps(text);
      },
    });
    checks = new ConfigChecks(sessions, configs);
    const text = JSON.stringify({
      components: [{ name: 'arm', type: 'arm', model: 'fake', depends_on: ['eye'] }],
      fragments: [{ id: fragment }],
      jobs: [{ name: 'night', schedule: '40 2 * * *', resource: 'arm', method: 'Read' }],
    });
    const document = await openAs(uri, text);
    const position = (at: string): vscode.Position => document.positionAt(text.indexOf(at) + 1);
    await checks.check(document);
    const catalogs = new FleetCatalogs(sessions);
    const links = new FleetLinks(catalogs, configs);
    const names = new ConfigNames(configs, () => ({ version: document.version, ...UNCHECKED }));
    const [symbols, lenses, found, hover, definitions, edit, items] = await Promise.all([
      new ConfigOutline(catalogs, configs).provideDocumentSymbols(document),
      links.provideCodeLenses(document),
      links.provideDocumentLinks(document),
      new ScheduleHover(configs).provideHover(document, position('40 2')),
      names.provideDefinition(document, position('arm","method')),
      names.provideRenameEdits(document, position('arm"'), 'elbow'),
      names.provideCompletionItems(document, position('eye')),
    ]);
    assert.ok(hover);
    assert.deepEqual(
      symbols.map(({ name, detail, children }) => [name, detail, children.length]),
      [
        ['arm', 'components · fake', 0],
        [fragment, 'fragments', 0],
        ['night', 'jobs · 40 2 * * *', 0],
      ],
    );
    const counts = [symbols, lenses, found, definitions, items].map((list) => list?.length);
    assert.deepEqual([...counts, edit?.size], [3, 2, 1, 1, 1, 1]);
    // VS Code can still have configs from other tests open, which are parsed, too.
    assert.equal(parsed.filter((one) => one === text).length, 1);
    links.dispose();
    catalogs.dispose();
  });

  it('read fragments again after they change, and not for each edit', async () => {
    const text = (name: string): string =>
      JSON.stringify({
        components: [{ name: 'arm', type: 'arm', model: 'fake', depends_on: [name] }],
        fragments: [{ id: fragment }],
      });
    const count = (): number => vscode.languages.getDiagnostics(uri).length;
    await checks.check(await openAs(uri, text('eye')));
    assert.equal(count(), 0);
    fleet.calls.clear();
    await checks.check(await openAs(uri, text('ear')));
    assert.equal(count(), 1);
    assert.equal(fleet.calls.size, 0);
    const configText = '{"components": [{"name": "ear", "type": "camera", "model": "fake"}]}';
    await stores.fragments.updateConfig(fragmentId(fragment), { name: 'Ears', configText });
    await checks.check(await openAs(uri, text('ear')));
    assert.equal(count(), 0);
  });

  it('complete fragments, their variables, modules, versions, models, and attributes', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id: module } = await stores.registry.createModule(organization, 'arms');
    const upload = { id: module, organizationId: organization, platform: 'linux/amd64' };
    await stores.registry.uploadModule({ ...upload, version: '1.9.0', read: readArchive });
    await stores.registry.updateModule(upload, {
      visibility: 'private',
      url: '',
      description: '',
      entrypoint: 'run.sh',
      models: [
        {
          api: 'rdk:component:arm',
          model: 'a:b:arm',
          description: 'Six axes',
          markdown: undefined,
        },
        { api: 'rdk:component:base', model: 'a:b:base', description: '', markdown: undefined },
      ],
      markdown: '## a:b:arm\n\n|Name|Type|Inclusion|\n|-|-|-|\n|`host`|string|Required|\n',
    });
    const speed = '{"services": [{"max": {"$variable": {"name": "speed", "default_value": 5}}}]}';
    const { id } = await stores.fragments.create(organization, 'Limits', speed);
    const catalogs = new FleetCatalogs(sessions);
    const completion = new FleetCompletion(catalogs, configs, () => undefined);
    const completeAt = async (text: string) => {
      const document = await openAs(uri, text.replace('|', ''));
      const position = document.positionAt(text.indexOf('|'));
      const { token } = new vscode.CancellationTokenSource();
      const list = await completion.provideCompletionItems(document, position, token);
      return list?.items.map(({ label, insertText }) => [
        typeof label === 'string' ? label : label.label,
        typeof insertText === 'string' ? insertText : insertText?.value,
      ]);
    };
    const modules = `"modules": [{"module_id": "${module}"}]`;
    assert.deepEqual(await completeAt('{"fragments": ["|"]}'), [
      ['Eyes', `"${fragment}"`],
      ['Limits', `"${id}"`],
    ]);
    assert.deepEqual(await completeAt(`{"fragments": [{"id": "${id}", "variables": {"|"}}]}`), [
      ['speed', '"speed": ${0:5}'],
    ]);
    assert.deepEqual(await completeAt('{"modules": [{"module_id": "|"}]}'), [
      [module, `"${module}"`],
    ]);
    assert.deepEqual(
      await completeAt(`{"modules": [{"module_id": "${module}", "version": "|"}]}`),
      ['1.9.0', 'latest', 'latest-with-prerelease'].map((one) => [one, `"${one}"`]),
    );
    assert.deepEqual(
      await completeAt(`{"components": [{"type": "arm", "model": "|"}], ${modules}}`),
      [['a:b:arm', '"a:b:arm"']],
    );
    fleet.calls.clear();
    assert.deepEqual(
      await completeAt(`{"components": [{"model": "a:b:arm", "attributes": {"|"}}], ${modules}}`),
      [['host', '"host": ${0:""}']],
    );
    assert.equal(await completeAt('{"jobs": [{"name": "|"}]}'), undefined);
    assert.equal(fleet.calls.size, 0);
    catalogs.dispose();
  });

  it('search a registry with more modules than it lists when the user pauses', async () => {
    const { id: other } = await stores.organizations.create('Other');
    await stores.organizations.update(other, { publicNamespace: 'acme' });
    for (const name of ['arms', 'bases', 'cams', 'drives', 'eyes']) {
      await createPublicModule(stores, other, name);
    }
    const paged = new TestSessions(withRegistryPages(fleet, 2));
    const catalogs = new FleetCatalogs(paged);
    const pauses: PromiseWithResolvers<undefined>[] = [];
    const debounce = (signal: AbortSignal): Promise<undefined> => {
      const pause = Promise.withResolvers<undefined>();
      pauses.push(pause);
      return raceAbort(pause.promise, signal);
    };
    const completion = new FleetCompletion(catalogs, configs, () => undefined, { debounce });
    const type = async (typed: string, token: vscode.CancellationToken) => {
      const text = `{"modules": [{"module_id": "${typed}"}]}`;
      const document = await openAs(uri, text);
      const position = document.positionAt(text.indexOf('"}]'));
      const list = await completion.provideCompletionItems(document, position, token);
      return list && [list.isIncomplete, list.items.map(({ filterText }) => filterText)];
    };
    const { token } = new vscode.CancellationTokenSource();
    const listed = ['arms', 'bases', 'cams', 'drives'].map((name) => `"acme:${name}"`);
    assert.deepEqual(await type('', token), [true, listed]);
    fleet.calls.clear();
    const countSearches = (): number => fleet.calls.get('ListRegistryItems') ?? 0;
    const typing = new vscode.CancellationTokenSource();
    const first = type('acme:e', typing.token);
    await waitUntil(() => pauses.length === 1);
    typing.cancel();
    assert.equal(await first, undefined);
    const second = type('acme:ey', token);
    await waitUntil(() => pauses.length === 2);
    assert.equal(countSearches(), 0);
    pauses[1]?.resolve(undefined);
    assert.deepEqual(await second, [true, ['"acme:eyes"', ...listed]]);
    assert.equal(countSearches(), 1);
    // The results are cached, so there is no delay.
    assert.deepEqual(await type('acme:ey', token), [true, ['"acme:eyes"', ...listed]]);
    assert.equal(pauses.length, 2);
    assert.equal(countSearches(), 1);
    catalogs.dispose();
    paged.dispose();
  });

  it('show the versions of modules and fragments with their actions, and link their IDs', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id: module } = await stores.registry.createModule(organization, 'arms');
    const upload = { id: module, organizationId: organization, platform: 'any' };
    for (const version of ['1.2.3', '1.9.0']) {
      await stores.registry.uploadModule({ ...upload, version, read: readArchive });
    }
    const text = JSON.stringify({
      fragments: [fragment, 'unknown'],
      modules: [
        { name: 'a', module_id: module, version: '1.2.3' },
        { name: 'b', module_id: module, version: '1.9.0' },
        { name: 'c', module_id: module, version: 'latest' },
      ],
    });
    const catalogs = new FleetCatalogs(sessions);
    const links = new FleetLinks(catalogs, configs);
    const document = await openAs(uri, text);
    const lenses = await links.provideCodeLenses(document);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      ['Eyes', 'Open', 'arms 1.2.3', 'Update to 1.9.0', 'Open']
        .concat(['arms 1.9.0', 'Open'])
        .concat(['arms 1.9.0', 'Open']),
    );
    const change: unknown = lenses[3]?.command?.arguments?.[0];
    assert.deepEqual(change, {
      document: uri.toString(),
      entry: ['modules', 0],
      kind: 'module',
      id: module,
      from: '1.2.3',
      version: '1.9.0',
    });
    fleet.calls.clear();
    const found = await links.provideDocumentLinks(document);
    assert.deepEqual(
      found.map(({ range, target }) => [document.getText(range), target?.path]),
      [
        [fragment, 'fleetwright.fragment.openConfig'],
        ...Array.from({ length: 3 }, () => [module, 'fleetwright.registryItem.show']),
      ],
    );
    assert.equal(fleet.calls.size, 0);
    links.dispose();
    catalogs.dispose();
  });

  it('offer the latest revision only for pinned revisions of a fragment, not for tags', async () => {
    const { revision } = await stores.fragments.get(fragmentId(fragment));
    const configText = '{"components": []}';
    const newest = await stores.fragments.updateConfig(fragmentId(fragment), {
      name: 'Eyes',
      configText,
    });
    const versions = [revision, newest.revision, 'stable', ''];
    const text = JSON.stringify({
      fragments: versions.map((version) => ({ id: fragment, version })),
    });
    const catalogs = new FleetCatalogs(sessions);
    const links = new FleetLinks(catalogs, configs);
    const lenses = await links.provideCodeLenses(await openAs(uri, text));
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      [`Eyes ${revision}`, 'Update to Latest Revision', 'Open']
        .concat([`Eyes ${newest.revision}`, 'Open'])
        .concat(['Eyes stable', 'Open'])
        .concat(['Eyes', 'Open']),
    );
    links.dispose();
    catalogs.dispose();
  });

  it('show the resolved module version of an entry, and the release to which it can change', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id: module } = await stores.registry.createModule(organization, 'arms');
    const upload = { id: module, organizationId: organization, platform: 'any' };
    for (const version of ['1.2.3', '1.9.0', '2.0.0-rc1']) {
      await stores.registry.uploadModule({ ...upload, version, read: readArchive });
    }
    const versions = ['1.2.3', '1.9.0', '4.0.0', 'latest', 'latest-with-prerelease', '1'];
    const text = JSON.stringify({
      modules: versions.map((version) => ({ name: `a${version}`, module_id: module, version })),
    });
    const document = await openAs(uri, text);
    const catalogs = new FleetCatalogs(sessions);
    const links = new FleetLinks(catalogs, configs);
    const lenses = await links.provideCodeLenses(document);
    assert.deepEqual(
      lenses.map(({ command }) => command?.title).filter((title) => title !== 'Open'),
      ['arms 1.2.3', 'Update to 1.9.0', 'arms 1.9.0', 'arms 4.0.0', 'Change to 1.9.0'].concat([
        'arms 1.9.0',
        'arms 2.0.0-rc1',
        'arms 1',
      ]),
    );
    links.dispose();
    catalogs.dispose();
  });

  describe('update the version of an entry in the text', () => {
    const ARMS = '{ "module_id": "acme:arms", "version": "1.2.3" }';
    const open = (content: string) =>
      vscode.workspace.openTextDocument({ language: 'json', content });
    const update = (document: vscode.TextDocument, index = 0) =>
      updateVersion({
        document: document.uri.toString(),
        entry: ['modules', index],
        kind: 'module',
        id: 'acme:arms',
        from: '1.2.3',
        version: '1.9.0',
      });

    it('also if the text has a syntax error', async () => {
      for (const content of [`{ "modules": [${ARMS}] }`, `{ "modules": [${ARMS}], "jobs": [, }`]) {
        const document = await open(content);
        await update(document);
        assert.equal(document.getText(), content.replace('1.2.3', '1.9.0'));
      }
    });

    it('also if the entry has moved', async () => {
      const content = `{ "modules": [{ "module_id": "acme:legs", "version": "1.2.3" }, ${ARMS}] }`;
      const document = await open(content);
      await update(document);
      const updated = ARMS.replace('1.2.3', '1.9.0');
      assert.equal(document.getText(), content.replace(ARMS, updated));
    });

    it('but not if the entry was changed or removed, or if its position is unclear', async () => {
      const contents = [
        '{ "modules": [] }',
        '{ "modules": [{ "module_id": "acme:legs", "version": "1.2.3" }] }',
        '{ "modules": [{ "module_id": "acme:arms", "version": "1.3.0" }] }',
        `{ "modules": [{}, ${ARMS}, ${ARMS}] }`,
      ];
      for (const content of contents) {
        const document = await open(content);
        await assert.rejects(
          update(document),
          (error) => error instanceof FleetError && error.kind === 'conflict',
        );
        assert.equal(document.getText(), content);
      }
    });
  });

  it('deploy the newest release of the module that provides a model', async () => {
    const organization = organizationId(fleet.organizationId);
    const { id: module } = await stores.registry.createModule(organization, 'arms');
    const upload = { id: module, organizationId: organization, platform: 'any' };
    for (const version of ['1.9.0', '2.0.0-rc1']) {
      await stores.registry.uploadModule({ ...upload, version, read: readArchive });
    }
    const model = 'a:b:arm';
    await stores.registry.updateModule(upload, {
      visibility: 'private',
      url: '',
      description: '',
      entrypoint: 'run.sh',
      models: [{ api: 'rdk:component:arm', model, description: '', markdown: undefined }],
    });
    const text = JSON.stringify({ components: [{ name: 'arm', type: 'arm', model }] });
    const document = await openAs(uri, text);
    const options = { resolved: undefined, isFragment: false, l10n: englishLocalizer };
    const diagnostics = checkConfig(text, options);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['modelWithoutModule'],
    );
    const checked = {
      version: document.version,
      diagnostics,
      resolved: undefined,
      modules: new Map(),
    };
    const catalogs = new FleetCatalogs(sessions);
    const fixes = new DeployFixes(catalogs, () => checked);
    const at = document.positionAt(text.indexOf(model));
    const context = { diagnostics: [], only: undefined, triggerKind: 1 } as const;
    const provide = () => {
      const { token } = new vscode.CancellationTokenSource();
      return fixes.provideCodeActions(document, new vscode.Range(at, at), context, token);
    };
    const [fix, ...others] = await provide();
    assert.equal(fix?.title, `Deploy Module ${module} 1.9.0`);
    assert.deepEqual(others, []);
    const [edit] = fix.edit?.get(uri) ?? [];
    assert.ok(edit);
    const start = document.offsetAt(edit.range.start);
    const end = document.offsetAt(edit.range.end);
    const fixed: unknown = JSON.parse(text.slice(0, start) + edit.newText + text.slice(end));
    assert.deepEqual((fixed as { modules: unknown }).modules, [
      { type: 'registry', name: 'arms', module_id: module, version: '1.9.0' },
    ]);
    fleet.calls.clear();
    await provide();
    assert.equal(fleet.calls.size, 0);
    catalogs.dispose();
  });
});
