import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../src/base/emitter';
import { organizationId } from '../../src/core/model/ids';
import { registryItemTarget, type RegistryItemTarget } from '../../src/core/model/resourceTarget';
import { ItemPanel } from '../../src/host/features/registry/itemPage/itemPanel';
import type { ToWebview } from '../../src/shared/protocol';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { silentLogger } from '../support/silentLogger';
import { TestClock } from '../support/testClock';
import { TestSessions } from '../support/testSessions';
import { waitForValue } from '../support/waitUntil';

const failIfCalled = (): never => assert.fail('not expected here');

/** The page's end of the channel, limited to what a panel needs. */
class FakePage {
  readonly messages: ToWebview[] = [];
  private readonly inbound = new Emitter<unknown>();
  private readonly gone = new Emitter<void>();
  private readonly viewState = new Emitter<void>();
  private lastRequestId = 0;

  readonly panel = {
    title: '',
    iconPath: undefined,
    reveal: () => undefined,
    onDidDispose: this.gone.event,
    visible: true,
    onDidChangeViewState: this.viewState.event,
    webview: {
      html: '',
      options: {},
      cspSource: 'self',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.inbound.event,
      postMessage: (message: ToWebview) => Promise.resolve(this.messages.push(message) > 0),
    },
  } as unknown as vscode.WebviewPanel;

  /** Simulates VS Code activating this panel or another one. */
  changeViewState(): void {
    this.viewState.fire();
  }

  async request(method: string, params?: unknown): Promise<unknown> {
    this.lastRequestId += 1;
    const id = this.lastRequestId;
    this.inbound.fire({ type: 'request', id, method, params });
    const answer = await waitForValue(
      () => this.messages.find((message) => 'id' in message && message.id === id),
      { describeState: () => `a response to ${method}` },
    );
    return 'result' in answer ? answer.result : answer;
  }

  /** Starts the page; returns the version that the page must show. */
  async begun(): Promise<unknown> {
    return ((await this.request('ready')) as { readonly version?: string }).version;
  }
}

describe('the page of a model opened at a version', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let target: RegistryItemTarget;
  let page: FakePage;
  let clock: TestClock;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    page = new FakePage();
    clock = new TestClock();
    const owner = organizationId(fleet.organizationId);
    const { registry } = sessions.stores();
    const { id } = await registry.createModule(owner, 'arm');
    target = registryItemTarget(sessions.connectionToFleet.id, await registry.get(id));
  });

  afterEach(async () => {
    sessions.dispose();
    await fleet.close();
  });

  const open = (version?: string): ItemPanel =>
    new ItemPanel(
      page.panel,
      { target, version },
      {
        sessions,
        log: silentLogger,
        presentError: failIfCalled,
        commands: { register: failIfCalled, execute: failIfCalled },
        pickTarget: failIfCalled,
        reveal: failIfCalled,
        clock,
      },
    );

  it('starts at the version until its metrics are requested', async () => {
    const panel = open('1.0.0');
    assert.deepEqual([await page.begun(), await page.begun()], ['1.0.0', '1.0.0']);
    await page.request('load', { fresh: false });
    await page.request('loadMetrics', { version: '1.0.0' });
    assert.equal(await page.begun(), undefined);
    panel.dispose();
  });

  it('receives the version while it is open, and starts at it if it was hidden', async () => {
    const panel = open();
    assert.equal(await page.begun(), undefined);
    page.messages.length = 0;
    panel.reveal();
    panel.select({ target, version: '1.0.1' });
    const [message] = page.messages;
    assert.deepEqual(message, {
      type: 'notification',
      method: 'chosen',
      params: { version: '1.0.1' },
    });
    assert.equal(await page.begun(), '1.0.1');
    panel.dispose();
  });

  it('reloads its item when it is shown again after some seconds', async () => {
    const panel = open();
    await page.request('load', { fresh: false });
    page.messages.length = 0;
    const changes = (): number =>
      page.messages.filter(({ type }) => type === 'notification').length;
    panel.reveal();
    panel.select({ target });
    page.changeViewState();
    assert.equal(changes(), 0);
    clock.advance(60_000);
    page.changeViewState();
    panel.reveal();
    panel.select({ target });
    assert.equal(changes(), 2);
    assert.deepEqual(page.messages[0], {
      type: 'notification',
      method: 'changed',
      params: undefined,
    });
    panel.dispose();
  });

  it('preserves the version that the user selected there if none is requested', async () => {
    const panel = open('1.0.0');
    panel.reveal();
    panel.select({ target });
    assert.deepEqual([page.messages, await page.begun()], [page.messages, undefined]);
    assert.ok(page.messages.every(({ type }) => type !== 'notification'));
    panel.dispose();
  });
});
