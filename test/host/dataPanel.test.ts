import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { organizationId } from '../../src/core/model/ids';
import type { OrganizationTarget } from '../../src/core/model/resourceTarget';
import { DataPanel, type DataPanelOptions } from '../../src/host/features/data/dataPanel';
import { SavedFilters } from '../../src/host/features/data/filter/savedFilters';
import type { PanelStart } from '../../src/host/features/data/panelDescription';
import { SuspendedReviews } from '../../src/host/features/data/trials/suspendedReviews';
import type { BulkReports } from '../../src/host/platform/commands/bulkReports';
import { WebviewPanels } from '../../src/host/platform/webview/webviewPanels';
import { webviews } from '../../src/manifest/contributions';
import { everyData } from '../../src/shared/data/dataFilter';
import { type MemoryFleet, openMemoryFleet } from '../support/memoryFleet';
import { MemoryKeyValue } from '../support/memoryPorts';
import { silentLogger } from '../support/silentLogger';
import { TestSessions } from '../support/testSessions';

const failIfCalled = (): never => assert.fail('must not be called');

describe('DataPanel', () => {
  let fleet: MemoryFleet;
  let sessions: TestSessions;
  let panels: WebviewPanels<PanelStart, DataPanel>;
  let tabs: vscode.WebviewPanel[];

  beforeEach(async () => {
    fleet = await openMemoryFleet();
    sessions = new TestSessions(fleet);
    tabs = [];
    const storage = new MemoryKeyValue();
    const options: DataPanelOptions = {
      sessions,
      storage,
      extensionUri: vscode.Uri.file('/'),
      presentError: failIfCalled,
      clock: fleet.clock,
      // Opening a panel reports nothing.
      reports: {} as BulkReports,
      sleep: () => Promise.resolve(),
      savedFilters: new SavedFilters(storage),
      offerUpload: failIfCalled,
      findUploads: failIfCalled,
      log: silentLogger,
      suspended: new SuspendedReviews(failIfCalled, failIfCalled, {
        save: failIfCalled,
        remove: failIfCalled,
      }),
      commands: { register: failIfCalled, execute: failIfCalled },
      pickTarget: failIfCalled,
      reveal: failIfCalled,
    };
    panels = new WebviewPanels<PanelStart, DataPanel>({
      // The extension has registered the panels of its own types.
      type: {
        ...webviews.data,
        viewType: 'fleetwright.data.test' as typeof webviews.data.viewType,
      },
      extensionUri: options.extensionUri,
      sessions,
      parseState: () => undefined,
      load: () =>
        Promise.resolve((panel, start) => {
          tabs.push(panel);
          return new DataPanel(panel, start, options);
        }),
    });
  });

  afterEach(async () => {
    for (const tab of tabs) tab.dispose();
    panels.dispose();
    sessions.dispose();
    await fleet.close();
  });

  function start(componentName: string): PanelStart {
    const target: OrganizationTarget = {
      kind: 'organization',
      connectionId: sessions.connectionToFleet.id,
      organizationId: organizationId(fleet.organizationId),
      name: 'Test',
    };
    const filter = { ...everyData, componentName };
    return { target, owner: target.organizationId, filter, tab: 'images' };
  }

  it('applies the filter of the later one of two concurrent requests', async () => {
    const [first, second] = await Promise.all([
      panels.show(start('left-eye')),
      panels.show(start('right-eye')),
    ]);
    assert.equal(first, second);
    assert.equal(second.start.filter.componentName, 'right-eye');
  });

  it('loads data before its page starts', async () => {
    // The extension folder has no page, so that it never starts.
    const panel = await panels.show(start('left-eye'));
    assert.equal(panel.session.isAtWork, true);
  });
});
