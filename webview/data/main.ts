import '../messaging/loadTranslations';
import { type DataPanelState, isDataPanelState } from '../../src/shared/data/dataPanel';
import { dataProtocol } from '../../src/shared/data/dataProtocol';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { element } from '../ui/elements';
import { createViewStateStore } from '../ui/createViewStateStore';
import { BoxEvents, ItemEvents, UndoEvents } from './dataContext';
import { DataApp } from './dataApp';
import { DroppedFiles } from './drops/droppedFiles';
import { ProposalEvents } from './trials/proposalEvents';
import { ReadingEvents } from './readings/readingEvents';
import '../ui/theme.css';
import '../ui/controls.css';
import '../ui/panel.css';
import '../ui/virtualRows.css';
import '../ui/virtualGrid.css';
import '../ui/table/table.css';
import '../ui/chart/chart.css';
import './data.css';
import './actions/actions.css';
import './filter/filter.css';
import './boxes/imageStage.css';
import './boxes/boxes.css';
import './clouds/clouds.css';
import './drops/drops.css';
import './items/items.css';
import './items/tiles.css';
import './items/itemRows.css';
import './items/detail/detail.css';
import './readings/readings.css';
import './trials/trials.css';
import './trials/review.css';

declare const acquireVsCodeApi: () => VsCodeApi;

async function main(root: HTMLElement): Promise<void> {
  defineElements();
  const vscode = acquireVsCodeApi();
  const app: { current?: DataApp } = {};
  const undoEvents = new UndoEvents();
  const itemEvents = new ItemEvents();
  const boxEvents = new BoxEvents();
  const readingEvents = new ReadingEvents();
  const proposalEvents = new ProposalEvents();
  const dropped = new DroppedFiles();
  const host = new HostConnection(dataProtocol, vscode, {
    filterApplied: (applied) => app.current?.filterApplied(applied),
    titled: ({ title }) => app.current?.titled(title),
    filterNamed: (named) => app.current?.filterNamed(named),
    counted: (count) => app.current?.counted(count),
    recounted: (count) => app.current?.recounted(count),
    outdated: (outdated) => app.current?.outdated(outdated),
    tabOpened: ({ tab }) => void app.current?.tabOpened(tab),
    troubled: (errorState) => app.current?.showErrorState(errorState),
    silenceChanged: ({ text }) => app.current?.silenceChanged(text),
    boxesChanged: (image) => boxEvents.notify(image),
    undoable: ({ text }) => undoEvents.notify(text),
    proposed: (proposals) => proposalEvents.notify(proposals),
    reviewSuspended: ({ suspended }) => proposalEvents.notifySuspended(suspended),
    itemsStale: ({ generation }) => itemEvents.notifyStale(generation),
    contentRead: (read) => itemEvents.notifyProgress(read),
    readingsRead: (read) => readingEvents.notify(read),
    readDropped: (wanted) => void dropped.send(host, wanted),
    dropReleased: ({ drop }) => dropped.release(drop),
  });
  host.listen();
  const start = await host.request('ready', undefined);
  const { locale, panel, filter, tab, canWrite, pointCloudScript } = start;
  document.documentElement.lang = locale;
  const before = vscode.getState();
  const views = isDataPanelState(before) && before.panel === panel ? before.views : {};
  let state: DataPanelState = { panel, filter, tab, views };
  const saveState = (change: Partial<DataPanelState>): void => {
    state = { ...state, ...change };
    vscode.setState(state);
  };
  saveState({});
  const announcer = element('div', { role: 'status', class: 'visually-hidden' });
  document.body.append(announcer);
  const context = {
    host,
    locale,
    canWrite,
    pointCloudScript,
    undoEvents,
    boxEvents,
    itemEvents,
    readingEvents,
    proposalEvents,
    dropped,
    viewStates: createViewStateStore(views, (updatedViews) => saveState({ views: updatedViews })),
    announce: (text: string) => (announcer.textContent = text),
  };
  app.current = new DataApp(root, { start, context, saveState });
  host.send('begin', undefined);
}

const root = document.getElementById('app');
if (root) void main(root);
