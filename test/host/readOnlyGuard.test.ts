import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { agentTools } from '../../src/core/agentTools/agentTools';
import { isReadOperation } from '../../src/core/api/readOnly';
import type { ConnectionId } from '../../src/core/model/ids';
import type { MachineTarget, PartTarget } from '../../src/core/model/resourceTarget';
import { commandEffects } from '../../src/manifest/commandEffects';
import type { CommandId } from '../../src/manifest/commands';
import { settings } from '../../src/manifest/contributions';
import { AuthorizationTable } from '../../src/service/auth/authorizationTable';
import { createMinimalInput } from '../support/minimalInput';
import { HostFleet } from './support/hostFleet';
import { ScriptedPrompts } from './support/scriptedPrompts';

const WRITES_REJECTED = /failed \(permission\)/;

type Area = CommandId extends infer Id
  ? Id extends `fleetwright.${infer Name}.${string}`
    ? Name
    : never
  : never;

/**
 * Kinds of the targets that commands get. An area without a row doesn't compile, and its commands
 * fail the tests.
 */
const TARGET_KINDS: Readonly<Record<Area, string>> = {
  apiKey: 'apiKey',
  app: 'organization',
  bulk: 'machine',
  config: 'part',
  connection: 'organization',
  data: 'organization',
  database: 'organization',
  dataset: 'dataset',
  document: 'part',
  fleet: 'machine',
  fragment: 'fragment',
  invite: 'invite',
  localFleet: 'organization',
  location: 'location',
  log: 'part',
  machine: 'machine',
  member: 'member',
  model: 'registryItem',
  module: 'registryItem',
  moduleManifest: 'registryItem',
  notebook: 'organization',
  organization: 'organization',
  part: 'part',
  query: 'organization',
  queryFile: 'organization',
  readings: 'organization',
  registry: 'registryItem',
  registryItem: 'registryItem',
  registryVersion: 'registryVersion',
  resource: 'machine',
  role: 'role',
  rollout: 'fragment',
  training: 'trainingJob',
  trainingScript: 'organization',
};

/**
 * Commands without an effect that the test doesn't run, because they end the session that it uses,
 * or start or stop programs.
 */
const NOT_RUN: ReadonlySet<string> = new Set<CommandId>([
  'fleetwright.connection.makeReadOnly',
  'fleetwright.connection.signIn',
  'fleetwright.connection.signOut',
  'fleetwright.connection.switch',
  'fleetwright.localFleet.allowScripts',
  'fleetwright.localFleet.start',
  'fleetwright.localFleet.stop',
]);

/** Areas whose commands get a document. */
const DOCUMENT_AREAS: ReadonlySet<string> = new Set<Area>(['document', 'notebook', 'queryFile']);

const ANSWER_INTERVAL_MS = 10;
/** Number of answers after which the prompts of a command are closed, because some repeat them. */
const MAX_ANSWERS = 20;
/** Number of intervals after which a command is left alone that neither ends nor prompts. */
const MAX_WAITS = 300;
/** Indexes of the choices to select in each list. A command is run once for each index. */
const CHOICES: readonly number[] = [0, 1, 2, Infinity];

/** Records the operations that the extension sends and that aren't reads. */
class RecordedChanges implements Disposable {
  readonly operations: string[] = [];
  private readonly restore: () => void;

  constructor() {
    const reads = new Set(
      new AuthorizationTable()
        .services()
        .flatMap(({ typeName, methods }) =>
          methods.filter(isReadOperation).map(({ name }) => `/${typeName}/${name}`),
        ),
    );
    const session = http2.connect('http://127.0.0.1:1');
    session.on('error', () => undefined);
    const prototype = Object.getPrototypeOf(session) as http2.ClientHttp2Session;
    session.destroy();
    const { operations } = this;
    const request = Reflect.get(prototype, 'request') as (
      ...args: readonly unknown[]
    ) => http2.ClientHttp2Stream;
    prototype.request = function (this: http2.ClientHttp2Session, headers, options) {
      const path = String((headers as http2.OutgoingHttpHeaders | undefined)?.[':path']);
      // Signing in changes nothing.
      if (!reads.has(path) && !path.endsWith('/Authenticate')) operations.push(path);
      return Reflect.apply(request, this, [headers, options]);
    };
    this.restore = () => (prototype.request = request);
  }

  [Symbol.dispose](): void {
    this.restore();
  }
}

describe('the guard of changes in a real extension host', () => {
  const { Global } = vscode.ConfigurationTarget;
  const { executeCommand } = vscode.commands;
  const configuration = vscode.workspace.getConfiguration();
  let fleet: HostFleet;
  let connectionId: ConnectionId;
  let machine: MachineTarget;
  let part: PartTarget;
  let document: vscode.Uri;
  let prompts: ScriptedPrompts;
  let changes: RecordedChanges;

  before(async () => {
    fleet = await HostFleet.open();
    ({ connectionId } = fleet);
    const organization = await fleet.findOrganization('Norrvik Automation');
    const plant = await fleet.findLocation(organization, 'Gothenburg Plant');
    ({ machine, part } = await fleet.createMachine(plant, 'guarded', {}));
    await executeCommand('fleetwright.part.openConfig', part);
    document = vscode.window.activeTextEditor?.document.uri ?? assert.fail();
    prompts = new ScriptedPrompts();
    changes = new RecordedChanges();
  });

  after(async () => {
    await configuration.update(settings.agentWrites.key, undefined, Global);
    await configuration.update(settings.readOnlyConnections.key, undefined, Global);
    prompts[Symbol.dispose]();
    changes[Symbol.dispose]();
    await executeCommand('workbench.action.closeAllEditors');
    await fleet.deleteMachine(machine);
  });

  beforeEach(() => {
    changes.operations.length = 0;
  });

  /** Returns a target of the kind that a command expects. */
  function createTarget(command: string): object {
    const [, area = ''] = command.split('.');
    const kind = TARGET_KINDS[area as Area] as string | undefined;
    assert.ok(kind !== undefined, `Add the area of ${command} to TARGET_KINDS.`);
    return { ...part, kind, connectionId };
  }

  /**
   * Runs a command and agrees to everything that it asks, until it ends or has asked too often.
   * @param choice index of the choice to select in each list
   * @returns the texts of the notifications
   */
  async function runAndAgree(command: string, choice: number): Promise<readonly string[]> {
    const [, area = ''] = command.split('.');
    const argument = DOCUMENT_AREAS.has(area) ? document : createTarget(command);
    const messages: string[] = [];
    const ended = Promise.resolve(executeCommand(command, argument)).then(() => true);
    for (let answers = 0, waits = 0; answers < MAX_ANSWERS && waits < MAX_WAITS; waits += 1) {
      if (await Promise.race([ended, sleep(ANSWER_INTERVAL_MS, false)])) break;
      messages.push(...prompts.openMessages);
      answers += prompts.agreeToAll(choice);
    }
    messages.push(...prompts.openMessages);
    prompts.leaveAll();
    return messages;
  }

  async function call(name: string): Promise<string> {
    const tool = agentTools.find((one) => one.name === name) ?? assert.fail(name);
    const input = createMinimalInput(tool.input) as object;
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content
      .map((one) => (one instanceof vscode.LanguageModelTextPart ? one.value : ''))
      .join('');
  }

  it('sees changes that a writable connection sends', async () => {
    const restarted = executeCommand('fleetwright.part.markForRestart', part);
    await prompts.confirm(/^Restart the part/, 'Restart');
    await restarted;
    await prompts.message(/has never checked in/);
    assert.deepEqual(changes.operations, ['/viam.app.v1.AppService/MarkPartForRestart']);
  });

  it('covers every command and every tool of package.json', async () => {
    const { contributes } = vscode.extensions.getExtension('fleetwright.fleetwright')
      ?.packageJSON as {
      readonly contributes: {
        readonly commands: readonly { readonly command: string }[];
        readonly languageModelTools: readonly { readonly name: string }[];
      };
    };
    const known = Object.keys(commandEffects).sort();
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), known);
    const registered = (await vscode.commands.getCommands(true)).filter((id) =>
      /^fleetwright\.[a-zA-Z]+\.[a-zA-Z]+$/.test(id),
    );
    const unknown = registered.filter((id) => !(id in commandEffects) && !isViewCommand(id));
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      contributes.languageModelTools.map(({ name }) => name).sort(),
      agentTools.map(({ name }) => name).sort(),
    );
  });

  it('sees no change by a command that is declared to change nothing, in a writable connection', async () => {
    for (const [id, effect] of Object.entries(commandEffects)) {
      if (effect !== 'nothing' || NOT_RUN.has(id)) continue;
      for (const choice of [0, Infinity]) await runAndAgree(id, choice);
      assert.deepEqual(changes.operations, [], id);
    }
  });

  it('rejects every tool that changes something if agents can only read', async () => {
    for (const { name, operation } of agentTools) {
      if (operation !== 'write') continue;
      const text = await call(name);
      assert.match(text, WRITES_REJECTED, text);
      assert.match(text, /fleetwright\.agents\.allowWrites/, text);
    }
    assert.deepEqual(changes.operations, []);
    assert.deepEqual(prompts.openMessages, []);
  });

  it('rejects every command that changes something in a read-only connection', async () => {
    await configuration.update(settings.agentWrites.key, ['*'], Global);
    await executeCommand('fleetwright.connection.makeReadOnly');
    for (const [id, effect] of Object.entries(commandEffects)) {
      if (effect === 'nothing' || effect === 'choice') continue;
      await executeCommand(id, effect === 'document' ? document : createTarget(id));
      // Such a command has nothing to continue, because the one before it was rejected.
      if (effect !== 'pending') await prompts.message(/read-only/);
      assert.deepEqual(prompts.openTexts, [], id);
      assert.deepEqual(prompts.openMessages, [], id);
      assert.deepEqual(changes.operations, [], id);
    }
  });

  it('rejects the changes that a command offers as choices in a read-only connection', async () => {
    for (const [id, effect] of Object.entries(commandEffects)) {
      if (effect !== 'choice') continue;
      const messages: string[] = [];
      for (const choice of CHOICES) messages.push(...(await runAndAgree(id, choice)));
      assert.deepEqual(changes.operations, [], id);
      assert.match(messages.join('; '), /read-only/, id);
    }
  });

  it('rejects every tool that changes something in a read-only connection, and no other tool changes anything', async () => {
    for (const { name, operation } of agentTools) {
      const answer = call(name);
      if (operation === 'export') (await prompts.next(/the new file/)).leave();
      const text = await answer;
      if (operation === 'write') {
        assert.match(text, WRITES_REJECTED, text);
        assert.match(text, /read-only/, text);
      }
      assert.deepEqual(changes.operations, [], name);
      assert.deepEqual(prompts.openTexts, [], name);
    }
  });

  it('stays if a setting requires it while a person allows changes', async () => {
    const allowed = executeCommand('fleetwright.connection.allowChanges');
    const prompt = await prompts.next(/allow changes/i);
    await configuration.update(settings.readOnlyConnections.key, ['*'], Global);
    prompt.accept('Allow Changes');
    await allowed;
    await prompts.message(/"fleetwright\.connections\.readOnly" makes the connection/);
    const restarted = executeCommand('fleetwright.part.markForRestart', part);
    await prompts.message(/read-only/);
    await restarted;
    assert.deepEqual(changes.operations, []);
  });
});

/** Returns true for the commands that VS Code adds for each view, such as `fleetwright.fleet.focus`. */
function isViewCommand(id: string): boolean {
  return /\.(?:focus|open|removeView|resetViewLocation|toggleVisibility)$/.test(id);
}
