import { type DataPanelState, isDataPanelState } from '../../src/shared/data/dataPanel';
import { dataProtocol } from '../../src/shared/data/dataProtocol';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { element } from '../ui/elements';
import { keptViews } from '../ui/keptViews';
import { UndoNews } from './actions/undoNews';
import { BoxNews } from './boxes/boxNews';
import { DataApp } from './dataApp';
import { DroppedFiles } from './drops/droppedFiles';
import { ItemNews } from './items/itemNews';
import { ProposalNews } from './trials/proposalNews';
import { ReadingNews } from './readings/readingNews';
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
  const undoNews = new UndoNews();
  const itemNews = new ItemNews();
  const boxNews = new BoxNews();
  const readingNews = new ReadingNews();
  const proposalNews = new ProposalNews();
  const dropped = new DroppedFiles();
  const host = new HostConnection(dataProtocol, vscode, {
    filterApplied: (applied) => app.current?.filterApplied(applied),
    titled: ({ title }) => app.current?.titled(title),
    filterNamed: (named) => app.current?.filterNamed(named),
    counted: (count) => app.current?.counted(count),
    recounted: (count) => app.current?.recounted(count),
    outdated: (outdated) => app.current?.outdated(outdated),
    tabOpened: ({ tab }) => void app.current?.tabOpened(tab),
    troubled: (trouble) => app.current?.troubled(trouble),
    silenceChanged: ({ text }) => app.current?.silenceChanged(text),
    boxesChanged: (image) => boxNews.tell(image),
    undoable: ({ text }) => undoNews.tell(text),
    proposed: (proposals) => proposalNews.tell(proposals),
    reviewSuspended: ({ suspended }) => proposalNews.tellSuspended(suspended),
    itemsStale: ({ generation }) => itemNews.tellStale(generation),
    contentRead: (read) => itemNews.tellRead(read),
    readingsRead: (read) => readingNews.tell(read),
    readDropped: (wanted) => void dropped.send(host, wanted),
    dropReleased: ({ drop }) => dropped.release(drop),
  });
  host.listen();
  const start = await host.request('ready', undefined);
  const { strings, locale, panel, filter, tab, canWrite, pointCloudScript } = start;
  document.documentElement.lang = locale;
  const before = vscode.getState();
  const views = isDataPanelState(before) && before.panel === panel ? before.views : {};
  let state: DataPanelState = { panel, filter, tab, views };
  const keep = (change: Partial<DataPanelState>): void => {
    state = { ...state, ...change };
    vscode.setState(state);
  };
  keep({});
  const announcer = element('div', { role: 'status', class: 'visually-hidden' });
  document.body.append(announcer);
  const context = {
    ...{
      host,
      strings,
      locale,
      canWrite,
      pointCloudScript,
      undoNews,
      boxNews,
      itemNews,
      readingNews,
      proposalNews,
      dropped,
    },
    kept: keptViews(views, (kept) => keep({ views: kept })),
    announce: (text: string) => (announcer.textContent = text),
  };
  app.current = new DataApp(root, { start, context, keep });
  host.send('begin', undefined);
}

const root = document.getElementById('app');
if (root) void main(root);
