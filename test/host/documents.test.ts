import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { FleetError, type FleetErrorKind } from '../../src/core/api/errors';
import {
  BaseArchive,
  ContentMismatchError,
  InvalidDocumentError,
  SaveConflictError,
} from '../../src/core/documents/configSource';
import type { DocumentAddress } from '../../src/core/documents/documentAddress';
import { DocumentFiles } from '../../src/core/documents/documentFiles';
import { findJsonProblems } from '../../src/core/documents/jsonProblems';
import type { Connection } from '../../src/core/model/connection';
import { connectionId, organizationId, type PartId } from '../../src/core/model/ids';
import { NOTHING } from '../../src/core/model/permissions';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import {
  DocumentAccess,
  escapeLinks,
  FleetFileSystem,
} from '../../src/host/features/documents/fleetFileSystem';
import { ConnectionDecorationProvider } from '../../src/host/features/documents/documents.feature';
import {
  ConflictNumbers,
  ConflictQuickFixProvider,
} from '../../src/host/features/documents/conflictCommands';
import { DocumentProblems, SaveFailures } from '../../src/host/features/documents/saveFailures';
import { createConfigSource } from '../../src/core/documents/documentSources';
import { MergePreviews, RevisionContent } from '../../src/host/features/documents/revisionContent';
import { replaceText } from '../../src/host/platform/documents/replaceText';
import { proposeText } from '../../src/host/platform/documents/proposeText';
import { type SaveProblem, toSaveProblems } from '../../src/host/features/documents/saveMessages';
import {
  documentUri,
  parseDocumentAddress,
  resolvedUri,
  revisionUri,
} from '../../src/host/platform/documents/documentUris';
import { keyWithRoles } from '../support/keyWithRoles';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryKeyValue } from '../support/memoryPorts';
import { TestSessions } from '../support/testSessions';
import { waitUntil } from '../support/waitUntil';

const HOSTILE = '[Sign in](command:workbench.action.quit)/../\n\u202e;$(id)';

describe('documents in a real extension host', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let stores: FleetStores;
  let files: DocumentFiles;
  let problems: DocumentProblems;
  let fileSystem: FleetFileSystem;
  let access: DocumentAccess;
  let part: PartId;
  let address: DocumentAddress;
  let uri: vscode.Uri;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    stores = sessions.stores();
    const organization = organizationId(fleet.organizationId);
    const plant = await stores.locations.create(organization, 'Plant', undefined);
    const machine = await stores.machines.create(plant.id, 'rover');
    part = await stores.parts.create(machine, 'second');
    address = {
      connectionId: sessions.connectionToFleet.id,
      subject: { type: 'partConfig', id: part },
    };
    uri = documentUri(address, ['Acme', 'rover', HOSTILE]);
    files = new DocumentFiles(
      ({ subject }) => createConfigSource(sessions.lastingStores(), subject),
      new BaseArchive(new MemoryKeyValue()),
      fleet.clock,
    );
    problems = new DocumentProblems();
    const failures = new SaveFailures(sessions, problems, new ConflictNumbers());
    access = new DocumentAccess(sessions);
    fileSystem = new FleetFileSystem(files, failures, access);
  });

  afterEach(async () => {
    fileSystem.dispose();
    access.dispose();
    problems.dispose();
    files.dispose();
    sessions.dispose();
    await fleet.close();
  });

  const write = (text: string): Promise<void> =>
    fileSystem.writeFile(uri, new TextEncoder().encode(text));

  function problemAt(offset: number): SaveProblem {
    const message = 'Configs cannot hold comments.';
    return { range: { offset, length: 5 }, message, jsonMarker: 'overlapping' };
  }

  function getDiagnostics(of: vscode.Uri): vscode.Diagnostic[] {
    return vscode.languages.getDiagnostics(of).filter(({ source }) => source === 'Fleetwright');
  }

  async function catchError(work: Promise<unknown>): Promise<vscode.FileSystemError> {
    const error: unknown = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof vscode.FileSystemError);
    return error;
  }

  it('are read-only if the key cannot save them', async () => {
    const before = await fileSystem.stat(uri);
    assert.equal(before.permissions, undefined);
    stores.access.getPermissions = (scopes) => Promise.resolve(scopes.map(() => NOTHING));
    assert.equal((await fileSystem.stat(uri)).permissions, vscode.FilePermission.Readonly);
  });

  it('marks the documents of a read-only connection, and reports when that changes', async () => {
    assert.equal((await fileSystem.stat(uri)).permissions, undefined);
    const changes: unknown[] = [];
    access.onDidChange((connection) => changes.push(connection));
    sessions.setReadOnly(true);
    assert.equal((await fileSystem.stat(uri)).permissions, vscode.FilePermission.Readonly);
    sessions.setReadOnly(false);
    assert.equal((await fileSystem.stat(uri)).permissions, undefined);
    assert.deepEqual(changes, [address.connectionId, address.connectionId]);
  });

  it('keeps edits of a read-only connection, and reports why they are not saved', async () => {
    await write('{"rpm": 1}');
    const file = files.file(uri.toString(), address);
    await fileSystem.readFile(uri);
    const edited = '{"rpm": 2}';
    file.noteEdited({ isDirty: true, getText: () => edited });
    sessions.setReadOnly(true);
    // VS Code ignores saves of files that it considers read-only.
    assert.equal((await fileSystem.stat(uri)).permissions, undefined);
    fleet.calls.clear();
    const error = await catchError(write(edited));
    assert.equal(error.code, 'NoPermissions');
    assert.match(error.message, /^The connection "Test" is read-only\. To change anything, allow/);
    assert.match(
      error.message,
      /\[Allow Changes\]\(command:fleetwright\.connection\.allowChanges\?/,
    );
    assert.match(error.message, /\[Save a Copy\]\(command:fleetwright\.document\.saveCopy\?/);
    assert.equal(file.editorState, 'dirty');
    assert.equal(fleet.calls.get('UpdateRobotPart'), undefined);
    assert.equal(getDiagnostics(uri).length, 1);
    sessions.setReadOnly(false);
    await write(edited);
    assert.equal(fleet.calls.get('UpdateRobotPart'), 1);
    assert.deepEqual(getDiagnostics(uri), []);
  });

  it('explains after a window reload, too, why edits are not saved', async () => {
    const archive = new BaseArchive(new MemoryKeyValue());
    const openFiles = () =>
      new DocumentFiles(
        ({ subject }) => createConfigSource(sessions.lastingStores(), subject),
        archive,
        fleet.clock,
      );
    const before = openFiles();
    const file = before.file(uri.toString(), address);
    const text = await file.read();
    file.noteStateChange({ isDirty: false, getText: () => text });
    file.noteEdited({ isDirty: true, getText: () => '{"rpm": 4}' });
    before.dispose();
    sessions.setReadOnly(true);
    const after = openFiles();
    const failures = new SaveFailures(sessions, problems, new ConflictNumbers());
    const restored = new FleetFileSystem(after, failures, access);
    // VS Code reads the state of the file before it restores the edits.
    assert.equal((await restored.stat(uri)).permissions, undefined);
    after.file(uri.toString(), address).noteClosed();
    assert.equal((await restored.stat(uri)).permissions, vscode.FilePermission.Readonly);
    restored.dispose();
    after.dispose();
  });

  it('rejects a save over a read-only connection before a review of its changes', async () => {
    let reviews = 0;
    const failures = new SaveFailures(sessions, problems, new ConflictNumbers());
    const reviewed = new FleetFileSystem(files, failures, access, () => () => {
      reviews += 1;
      return Promise.resolve();
    });
    await reviewed.readFile(uri);
    const file = files.file(uri.toString(), address);
    file.noteEdited({ isDirty: true, getText: () => '{"rpm": 3}' });
    sessions.setReadOnly(true);
    await assert.rejects(reviewed.writeFile(uri, new TextEncoder().encode('{"rpm": 3}')));
    assert.equal(reviews, 0);
    reviewed.dispose();
  });

  it('have URIs that survive their text form with a hostile name', () => {
    const again = vscode.Uri.parse(uri.toString());
    assert.deepEqual(parseDocumentAddress(again), address);
    assert.equal(again.toString(), uri.toString());
    assert.doesNotMatch(uri.toString(true), /[[\]()\n\u202e]|\.\./);
  });

  it('can be read and written as files, and their parent folders listed', async () => {
    fleet.clock.advance(1_000);
    await write('{"rpm": 1}');
    const content = await fileSystem.readFile(uri);
    assert.equal(new TextDecoder().decode(content), '{\n  "rpm": 1\n}');
    const { type, size, mtime } = await fileSystem.stat(uri);
    assert.equal(type, vscode.FileType.File);
    assert.equal(size, content.length);
    assert.equal(mtime, fleet.clock.now().getTime());
    const folder = vscode.Uri.joinPath(uri, '..');
    assert.equal((await fileSystem.stat(folder)).type, vscode.FileType.Directory);
    await catchError(fileSystem.stat(uri.with({ path: '/elsewhere/x.json' })));
  });

  it('cannot be created, renamed, or deleted', () => {
    for (const act of [
      () => fileSystem.createDirectory(),
      () => fileSystem.delete(),
      () => fileSystem.rename(),
    ]) {
      assert.throws(act, vscode.FileSystemError);
    }
  });

  it('fail with the matching error code of VS Code', async () => {
    const codes: Partial<Record<FleetErrorKind, string>> = {
      notFound: 'FileNotFound',
      permission: 'NoPermissions',
      unauthenticated: 'NoPermissions',
      unavailable: 'Unavailable',
      invalid: 'Unavailable',
    };
    for (const [kind, code] of Object.entries(codes)) {
      stores.parts.get = () => Promise.reject(new FleetError(kind as FleetErrorKind, HOSTILE));
      const error = await catchError(write('{"rpm": 1}'));
      assert.equal(error.code, code, kind);
      assert.doesNotMatch(error.message, /\]\(command:(?!fleetwright\.document\.)/, kind);
    }
  });

  it('require UTF-8', async () => {
    const latin1 = Uint8Array.of(0x7b, 0x22, 0xfc, 0x22, 0x7d);
    assert.match((await catchError(fileSystem.writeFile(uri, latin1))).message, /UTF-8/);
  });

  it('show errors in Problems at their position until they are fixed', async () => {
    const text = '{\n  "a": 1,\n  "b": [1,]\n}';
    assert.equal(findJsonProblems(text, 'text').length, 1);
    await catchError(write(text));
    const [found] = vscode.languages.getDiagnostics(uri);
    assert.ok(found);
    assert.deepEqual(found.range, new vscode.Range(2, 9, 2, 10));
    assert.match(found.message, /comma/);
    await write('{\n  "a": 1\n}');
    assert.deepEqual(vscode.languages.getDiagnostics(uri), []);
  });

  it('clear Problems after the edits are undone', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'fleetwright-undone-')), 'config.json');
    writeFileSync(file, '{}');
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    await replaceText(document, '{} // on');
    problems.show(document.uri, document.getText(), [problemAt(3)]);
    assert.equal(getDiagnostics(document.uri).length, 1);
    await vscode.commands.executeCommand('undo');
    await waitUntil(() => getDiagnostics(document.uri).length === 0);
    rmSync(dirname(file), { recursive: true });
  });

  it('hide what the JSON support of VS Code marks, with or without its name', () => {
    const known = vscode.languages.createDiagnosticCollection('json');
    const comment = new vscode.Diagnostic(new vscode.Range(0, 3, 0, 8), 'No comments.');
    known.set(uri, [comment]);
    problems.show(uri, '{} // on', [problemAt(3)]);
    assert.deepEqual(getDiagnostics(uri), []);
    known.dispose();
    problems.show(uri, '{} // on', [problemAt(3)]);
    assert.equal(getDiagnostics(uri).length, 1);
  });

  it('remove a problem that the JSON support marks after the save', async () => {
    const [retained, marked]: SaveProblem[] = [
      { ...problemAt(3), jsonMarker: undefined },
      { ...problemAt(1), jsonMarker: 'sameStart' },
    ];
    assert.ok(retained && marked);
    problems.show(uri, '{} // on', [retained, marked]);
    assert.equal(getDiagnostics(uri).length, 2);
    const known = vscode.languages.createDiagnosticCollection('json');
    const range = new vscode.Range(0, 1, 0, 2);
    const warning = new vscode.Diagnostic(range, 'Same.', vscode.DiagnosticSeverity.Warning);
    known.set(uri, [warning]);
    await waitUntil(() => getDiagnostics(uri).length <= 1);
    assert.deepEqual(getDiagnostics(uri)[0]?.range.start, new vscode.Position(0, 3));
    known.dispose();
  });

  it('hide a repeated key that the JSON support marks, but show a byte order mark', async () => {
    const content = '{"a": 1, "a": 2}';
    const broken = '{"a":\uFEFF 1}';
    const repeated = await vscode.workspace.openTextDocument({ language: 'json', content });
    const marked = await vscode.workspace.openTextDocument({ language: 'json', content: broken });
    for (const document of [repeated, marked]) {
      const text = document.getText();
      const error = new InvalidDocumentError(findJsonProblems(text, 'text'));
      assert.equal(error.problems.length, 1);
      problems.show(document.uri, text, toSaveProblems(error, text, ''));
    }
    const bySupport = (of: vscode.Uri): number =>
      vscode.languages.getDiagnostics(of).filter(({ source }) => source === 'json').length;
    await waitUntil(() => bySupport(repeated.uri) > 0 && bySupport(marked.uri) > 0);
    await waitUntil(() => getDiagnostics(repeated.uri).length === 0);
    assert.match(getDiagnostics(marked.uri)[0]?.message ?? '', /byte order mark/);
  });

  it('mark rejected values at their position', async () => {
    stores.parts.updateConfig = () =>
      Promise.reject(
        new FleetError('invalid', 'Refused.', {
          violations: [{ field: 'components[0].name', message: 'A name has letters and digits.' }],
        }),
      );
    const text = '{"components": [{"name": "left arm"}]}';
    await catchError(write(text));
    const [found] = vscode.languages.getDiagnostics(uri);
    assert.ok(found);
    assert.equal(text.slice(found.range.start.character, found.range.end.character), '"left arm"');
    assert.equal(
      found.message,
      'The service rejected components › left arm › name: A name has letters and digits.',
    );
  });

  it('name the path in the document when the service rejects it, without the field of the request', async () => {
    const text = '{"components": [{"name": "arm"}, {"name": "arm"}]}';
    const { message } = await catchError(write(text));
    const expected = 'The service rejected components › arm › name: "arm" is used twice.';
    assert.ok(message.includes(expected), message);
    const [problem] = getDiagnostics(uri);
    assert.equal(problem?.message, expected);
    assert.equal(problem.range.start.character, text.lastIndexOf('"arm"'));
  });

  it('report a conflict in one message, with each recovery action as a link and a quick fix', async () => {
    const file = files.file(uri.toString(), address);
    const loaded = await file.read();
    file.noteStateChange({ isDirty: false, getText: () => loaded });
    file.noteStateChange({ isDirty: true, getText: () => '{"rpm": 1}' });
    await stores.parts.updateConfig(part, { name: 'second', configText: '{"rpm": 2}' });
    fleet.clock.advance(1_000);
    const owner = ['owner', 'organization', fleet.organizationId] as const;
    const colleague = new TestSessions(await keyWithRoles(fleet, owner));
    await colleague.stores().parts.rename(part, 'renamed');
    colleague.dispose();
    const { message } = await catchError(write('{"rpm": 1}'));
    assert.match(
      message,
      /that uses your API key changed this document on .* while you were editing\./,
    );
    for (const act of ['compare', 'merge', 'overwrite', 'reload']) {
      assert.match(message, new RegExp(`\\(command:fleetwright\\.document\\.${act}\\?%5B1%5D\\)`));
    }
    assert.ok(message.length < 700);
    const diagnostics = vscode.languages.getDiagnostics(uri);
    const document = { uri } as vscode.TextDocument;
    const context = { diagnostics } as unknown as vscode.CodeActionContext;
    const range = new vscode.Range(0, 0, 0, 1);
    const fixes = new ConflictQuickFixProvider().provideCodeActions(document, range, context);
    assert.deepEqual(
      fixes.map(({ command }) => command?.command.split('.').at(-1)),
      ['compare', 'merge', 'overwrite', 'reload'],
    );
  });

  it('name the API key of the other user in a conflict', async () => {
    const file = files.file(uri.toString(), address);
    const loaded = await file.read();
    file.noteStateChange({ isDirty: false, getText: () => loaded });
    file.noteStateChange({ isDirty: true, getText: () => '{"rpm": 1}' });
    const owner = ['owner', 'organization', fleet.organizationId] as const;
    const colleague = new TestSessions(await keyWithRoles(fleet, owner));
    const change = { name: 'second', configText: '{"rpm": 2}' };
    await colleague.stores().parts.updateConfig(part, change);
    colleague.dispose();
    const { message } = await catchError(write('{"rpm": 1}'));
    assert.match(message, /API key "limited" changed this document on .* while you were editing\./);
  });

  it('offer no merge if the base of the edits is unknown', async () => {
    const failures = new SaveFailures(sessions, problems, new ConflictNumbers());
    const remote = { text: '{}', version: undefined, name: '' };
    const message = await failures.report(uri, '{}', new SaveConflictError(undefined, remote));
    assert.doesNotMatch(message, /document\.merge/);
    assert.match(message, /document\.overwrite/);
  });

  it('offer to copy edits after a sign-out, and name the required key', async () => {
    const failures = new SaveFailures(sessions, problems, new ConflictNumbers());
    const error = new FleetError('unauthenticated', 'You are not signed in.');
    const message = await failures.report(uri, '{"rpm": 1}', error);
    assert.match(
      message,
      /^You are not signed in\. .* sign in with the same API key again\. If that key was deleted, save a copy\. /,
    );
    assert.match(message, /\[Save a Copy\]\(command:fleetwright\.document\.saveCopy\?%5B1%5D\)$/);
  });

  it('offer a comparison if the service stored something else', async () => {
    const failures = new SaveFailures(sessions, problems, new ConflictNumbers());
    const stored = { text: '{"rpm": 2}', version: undefined, name: '' };
    const message = await failures.report(uri, '{"rpm": 1}', new ContentMismatchError(stored));
    assert.match(message, /different content\./);
    assert.match(message, /\[Compare\]\(command:fleetwright\.document\.compare\?%5B1%5D\)$/);
    assert.doesNotMatch(message, /document\.(?:merge|overwrite|reload)/);
    assert.equal(getDiagnostics(uri).length, 1);
  });

  it('show past and current revisions, and report a missing one', async () => {
    await write('{"rpm": 1}');
    fleet.clock.advance(1_000);
    await write('{"rpm": 2}');
    const content = new RevisionContent(sessions, new MergePreviews());
    const token = new vscode.CancellationTokenSource().token;
    const read = (at: vscode.Uri): Promise<string> => content.provideTextDocumentContent(at, token);
    const { items } = await stores.parts.history(part);
    const replaced = items[0]?.editedOn;
    assert.ok(replaced);
    assert.match(await read(revisionUri(uri, replaced)), /"rpm": 1/);
    assert.match(await read(revisionUri(uri, 'current')), /"rpm": 2/);
    assert.match(
      await read(uri.with({ scheme: 'fleetwright-revision', query: '1' })),
      /no longer available/,
    );
    content.dispose();
  });

  it('have a badge for their connection if there are several', () => {
    const { connectionToFleet, onDidChangeConnections } = sessions;
    const other = { ...connectionToFleet, id: connectionId('other'), label: 'Acme Robots' };
    const connections: Connection[] = [connectionToFleet];
    const provider = new ConnectionDecorationProvider({ connections, onDidChangeConnections });
    assert.equal(provider.provideFileDecoration(uri), undefined);
    connections.push(other);
    const decoration = provider.provideFileDecoration(uri);
    assert.deepEqual([decoration?.badge, decoration?.tooltip], ['TE', 'Test']);
    const ofOther = uri.with({ authority: other.id });
    for (const one of [ofOther, revisionUri(ofOther, 'current'), resolvedUri(ofOther)]) {
      assert.equal(provider.provideFileDecoration(one)?.badge, 'AR');
    }
    assert.equal(provider.provideFileDecoration(vscode.Uri.file('/tmp/a.json')), undefined);
    provider.dispose();
  });

  it('change only what differs in an open document', async () => {
    const content = '{\r\n  "name": "😀",\r\n  "rpm": 1\r\n}';
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await replaceText(document, '{\n  "name": "😁",\n  "rpm": 1\n}');
    assert.equal(document.getText(), content.replace('😀', '😁'));
  });

  it('reveal a proposed change at any line', async () => {
    const lines = Array.from({ length: 300 }, (_, line) => `  "field ${line}": ${line},`);
    const content = ['{', ...lines, '  "last": 1', '}'].join('\n');
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await proposeText(document, content.replace('"last": 1', '"last": 2'));
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document, document);
    const last = new vscode.Position(lines.length + 1, 0);
    await waitUntil(() => editor.visibleRanges.some((range) => range.contains(last)));
    assert.match(document.getText(), /"last": 2/);
  });

  it('render no links in text of other users', () => {
    assert.equal(escapeLinks(HOSTILE).includes(']('), false);
    const error = new InvalidDocumentError(findJsonProblems('{"[a](command:b)": }', 'text'));
    assert.equal(error.problems.length, 1);
  });
});
