import { type DataPanelState } from '../../src/shared/data/dataPanel';
import { dataProtocol } from '../../src/shared/data/dataProtocol';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { element } from '../ui/elements';
import { BoxNews } from './boxes/boxNews';
import { DataApp } from './dataApp';
import '../ui/theme.css';
import '../ui/controls.css';
import '../ui/virtualRows.css';
import './data.css';

declare const acquireVsCodeApi: () => VsCodeApi;

async function main(root: HTMLElement): Promise<void> {
  defineElements();
  const vscode = acquireVsCodeApi();
  const app: { current?: DataApp } = {};
  const boxNews = new BoxNews();
  const host = new HostConnection(dataProtocol, vscode, {
    filterApplied: (applied) => app.current?.filterApplied(applied),
    filterNamed: () => app.current?.filterNamed(),
    counted: (count) => app.current?.counted(count),
    boxesChanged: (image) => boxNews.tell(image),
    itemsChanged: () => app.current?.itemsChanged(),
  });
  host.listen();
  const start = await host.request('ready', undefined);
  const { strings, locale, panel, filter, tab, canWrite, pointCloudScript } = start;
  document.documentElement.lang = locale;
  let state: DataPanelState = { panel, filter, tab };
  const keep = (change: Partial<DataPanelState>): void => {
    state = { ...state, ...change };
    vscode.setState(state);
  };
  keep({});
  const announcer = element('div', { role: 'status', class: 'visually-hidden' });
  document.body.append(announcer);
  const context = {
    ...{ host, strings, locale, canWrite, pointCloudScript, boxNews },
    announce: (text: string) => (announcer.textContent = text),
  };
  app.current = new DataApp(root, { start, context, keep });
  host.send('refresh', undefined);
}

const root = document.getElementById('app');
if (root) void main(root);
