import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Disposable } from '../../src/base/disposable';
import { type ConnectionId, connectionId } from '../../src/core/model/ids';
import { type PanelContent, WebviewPanels } from '../../src/host/platform/webview/webviewPanels';
import { webviews } from '../../src/manifest/contributions';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { TestSessions } from '../support/testSessions';
import { until } from './support/until';

interface Start {
  readonly connectionId: ConnectionId;
  readonly name: string;
  readonly filter: string;
}

class TestContent extends Disposable implements PanelContent<Start> {
  filter: string;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private readonly opened: Start,
  ) {
    super();
    this.filter = opened.filter;
    panel.title = opened.name;
  }

  get start(): Start {
    return { ...this.opened, filter: this.filter };
  }

  shows({ name }: Start): boolean {
    return name === this.opened.name;
  }

  reveal(): void {
    this.panel.reveal();
  }

  select({ filter }: Start): void {
    this.filter = filter;
  }
}

describe('WebviewPanels', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let panels: WebviewPanels<Start, TestContent>;
  let created: TestContent[];
  let loading: Promise<void>;

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    created = [];
    loading = Promise.resolve();
    // The extension has registered the panels of its own types.
    const viewType = 'fleetwright.history.test' as typeof webviews.history.viewType;
    panels = new WebviewPanels<Start, TestContent>({
      type: { ...webviews.history, viewType },
      extensionUri: vscode.Uri.file('/'),
      sessions,
      parseState: (state) => state as Start | undefined,
      load: () =>
        loading.then(() => (panel, start) => {
          const content = new TestContent(panel, start);
          created.push(content);
          return content;
        }),
    });
  });

  afterEach(async () => {
    for (const { panel } of created) panel.dispose();
    panels.dispose();
    sessions.dispose();
    await fleet.close();
  });

  const start = (name: string, id = sessions.connectionToFleet.id): Start => ({
    connectionId: id,
    name,
    filter: 'initial',
  });

  it('opens one panel for concurrent requests for the same target', async () => {
    const [one, two, other] = await Promise.all([
      panels.show(start('part')),
      panels.show({ ...start('part'), filter: 'narrow' }),
      panels.show(start('machine')),
    ]);
    assert.equal(one, two);
    assert.equal(one.filter, 'narrow');
    assert.deepEqual(created, [one, other]);
  });

  it('reveals an open panel in its current state, and shows it in the requested one', async () => {
    const request = { ...start('part'), filter: 'narrow' };
    const [opened, revealed] = await Promise.all([
      panels.reveal(start('part')),
      panels.reveal(request),
    ]);
    assert.equal(revealed, opened);
    assert.equal(opened.filter, 'initial');
    await panels.show(request);
    assert.equal(opened.filter, 'narrow');
  });

  it('disposes of the content of a closed panel, and opens it again in a new one', async () => {
    const closed = await panels.show(start('part'));
    closed.panel.dispose();
    await until('that the content is disposed of', () => closed.isDisposed);
    assert.notEqual(await panels.show(start('part')), closed);
  });

  it('starts panels again when the URL of their connection changes', async () => {
    const moved = await panels.show(start('part'));
    const other = await panels.show(start('machine', connectionId('another')));
    const html = moved.panel.webview.html;
    moved.filter = 'narrow';
    sessions.move('http://127.0.0.1:2');
    const restarted = panels.find(start('part'));
    assert.ok(restarted);
    assert.deepEqual([moved.isDisposed, other.isDisposed, created.length], [true, false, 3]);
    assert.equal(restarted.panel, moved.panel);
    assert.equal(restarted.filter, 'narrow');
    assert.notEqual(restarted.panel.webview.html, html);
    restarted.panel.dispose();
    await until('that the content is disposed of', () => restarted.isDisposed);
    assert.equal(panels.find(start('part')), undefined);
  });

  const createTab = (): vscode.WebviewPanel =>
    vscode.window.createWebviewPanel('fleetwright.test', '', vscode.ViewColumn.Active);

  it('restores a panel after a window reload', async () => {
    const tab = createTab();
    await panels.deserializeWebviewPanel(tab, { ...start('part'), filter: 'narrow' });
    assert.equal(panels.find(start('part'))?.panel, tab);
    assert.equal(created[0]?.filter, 'narrow');
  });

  it('closes a restored panel whose target was opened again, and shows the other one', async () => {
    const opened = await panels.show(start('part'));
    const tab = createTab();
    let isClosed = false;
    tab.onDidDispose(() => (isClosed = true));
    await panels.deserializeWebviewPanel(tab, { ...start('part'), filter: 'narrow' });
    await until('that the restored panel is closed', () => isClosed);
    assert.deepEqual(created, [opened]);
    assert.equal(opened.filter, 'narrow');
  });

  it('ignores a restored panel that is closed while the code loads', async () => {
    const gate = Promise.withResolvers<undefined>();
    loading = gate.promise.then(() => undefined);
    const tab = createTab();
    const restored = panels.deserializeWebviewPanel(tab, start('part'));
    const closed = new Promise((resolve) => tab.onDidDispose(resolve));
    tab.dispose();
    await closed;
    gate.resolve(undefined);
    await restored;
    assert.deepEqual(created, []);
  });
});
