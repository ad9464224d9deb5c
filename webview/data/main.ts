import '../messaging/loadTranslations';
import { Emitter } from '../../src/base/emitter';
import type { EditedImage } from '../../src/shared/data/boxes';
import type { Proposals, SuspendedReview } from '../../src/shared/data/proposals';
import type { ReadingListingRef, ReadingProgress } from '../../src/shared/data/readings';
import { type DataPanelState, isDataPanelState } from '../../src/shared/data/dataPanel';
import { dataProtocol } from '../../src/shared/data/dataProtocol';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { element } from '../ui/elements';
import { createViewStateStore } from '../ui/createViewStateStore';
import type { ContentProgress, DataContext } from './dataContext';
import { DataApp } from './dataApp';
import { DroppedFiles } from './drops/droppedFiles';
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
  let undoText: string | undefined;
  const undoChanges = new Emitter<string | undefined>();
  const boxChanges = new Emitter<EditedImage>();
  const itemChanges = new Emitter<number>();
  const contentReads = new Emitter<ContentProgress>();
  const readingReads = new Emitter<ReadingListingRef & ReadingProgress>();
  const proposalChanges = new Emitter<Proposals>();
  const suspensions = new Emitter<SuspendedReview | undefined>();
  const dropped = new DroppedFiles();
  const host = new HostConnection(dataProtocol, vscode, {
    filterApplied: (applied) => app.current?.filterApplied(applied),
    titled: ({ title }) => app.current?.titled(title),
    filterNamed: (named) => app.current?.filterNamed(named),
    counted: (count) => app.current?.counted(count),
    recounted: (count) => app.current?.recounted(count),
    outdated: (outdated) => app.current?.outdated(outdated),
    tabOpened: ({ tab }) => void app.current?.tabOpened(tab),
    problemChanged: (errorState) => app.current?.showErrorState(errorState),
    silenceChanged: ({ text }) => app.current?.silenceChanged(text),
    boxesChanged: (image) => boxChanges.fire(image),
    undoable: ({ text }) => {
      undoText = text;
      undoChanges.fire(text);
    },
    proposed: (proposals) => proposalChanges.fire(proposals),
    reviewSuspended: ({ suspended }) => suspensions.fire(suspended),
    itemsStale: ({ generation }) => itemChanges.fire(generation),
    contentRead: (read) => contentReads.fire(read),
    readingsRead: (read) => readingReads.fire(read),
    readDropped: (file) => void dropped.send(host, file),
    dropReleased: ({ drop }) => dropped.release(drop),
  });
  host.listen();
  const start = await host.request('ready', undefined);
  const { locale, panel, filter, tab, canWrite, readOnly, pointCloudScript } = start;
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
  const context: DataContext = {
    host,
    locale,
    canWrite,
    readOnly,
    pointCloudScript,
    undoText: () => undoText,
    onDidChangeUndo: undoChanges.event,
    onDidChangeBoxes: boxChanges.event,
    onDidChangeItems: itemChanges.event,
    onDidReadContent: contentReads.event,
    onDidReadReadings: readingReads.event,
    onDidChangeProposals: proposalChanges.event,
    onDidChangeSuspendedReview: suspensions.event,
    dropped,
    viewStates: createViewStateStore(views, (updatedViews) => saveState({ views: updatedViews })),
    announce: (text: string) => (announcer.textContent = text),
  };
  app.current = new DataApp(root, { start, context, saveState });
  host.send('begin', undefined);
}

const root = document.getElementById('app');
if (root) void main(root);
