import { FakeDataHost } from '../../test/webview/support/fakeDataHost';
import { connectionId } from '../../src/core/model/ids';
import type { FleetStores } from '../../src/core/stores/fleetStores';
import { type Applied, DataSession } from '../../src/host/features/data/dataSession';
import { ItemSession } from '../../src/host/features/data/items/itemSession';
import { countTabs } from '../../src/host/features/data/changeWatch';
import { everyData } from '../../src/shared/data/dataFilter';

const unneeded = (): never => {
  throw new Error('A benchmark does not need this.');
};

/** Creates a host for a data panel on real stores. The host supports only viewing images. */
export function dataPanelHost(stores: FleetStores): FakeDataHost & Disposable {
  const noEvent = () => ({ dispose: () => undefined });
  const session = new DataSession(connectionId('bench'), everyData, {
    sessions: {
      active: undefined,
      connections: [],
      stores: () => stores,
      lastingStores: () => stores,
      onDidChangeActive: noEvent,
      onDidChangeConnections: noEvent,
      onDidRecover: noEvent,
      onDidChangeSilence: noEvent,
      onDidMove: noEvent,
      isSilent: () => false,
      connection: () => ({
        id: connectionId('bench'),
        label: 'bench',
        baseUrl: '',
        keyId: '',
        kind: 'local',
      }),
    },
    clock: { now: () => new Date() },
  });
  const items = new ItemSession({
    session,
    tab: () => 'images',
    notifyStale: () => undefined,
    notifyRead: () => undefined,
    openContent: unneeded,
    copyText: unneeded,
  });
  const host = new FakeDataHost();
  const notifyApplied = ({ generation, filter, browse }: Applied): void => {
    host.page.notify('filterApplied', { generation, filter });
    void countTabs(generation, browse, (count) => host.page.notify('counted', count));
  };
  host.answers = { ...items.handlers(), begin: () => notifyApplied(session.current) };
  // Like the panel, which loads data while its page starts.
  void session.apply();
  return Object.assign(host, {
    [Symbol.dispose]: () => {
      items.dispose();
      session.dispose();
    },
  });
}
