import '../messaging/loadTranslations';
import {
  isTrainingPageState,
  type TrainingPageState,
  trainingProtocol,
} from '../../src/shared/training';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { element } from '../ui/elements';
import { type PanelBefore, TrainingApp } from './trainingApp';
import '../ui/theme.css';
import '../ui/controls.css';
import '../ui/panel.css';
import '../ui/virtualRows.css';
import '../ui/chart/chart.css';
import './training.css';
import './jobView.css';
import './metrics.css';
import './comparison.css';

declare const acquireVsCodeApi: () => VsCodeApi;

async function main(root: HTMLElement): Promise<void> {
  defineElements();
  const vscode = acquireVsCodeApi();
  const app: { current?: TrainingApp } = {};
  const host = new HostConnection(trainingProtocol, vscode, {
    changed: () => void app.current?.load(false),
    selected: ({ job }) => app.current?.reveal(job),
    logChanged: ({ job }) => app.current?.logChanged(job),
  });
  host.listen();
  const { locale, panel, selected } = await host.request('ready', undefined);
  document.documentElement.lang = locale;
  const state = vscode.getState();
  const saved = isTrainingPageState(state) && state.panel === panel ? state : undefined;
  // The saved filter could hide the requested job.
  const savedFilter = selected === undefined ? saved?.filter : undefined;
  const before: PanelBefore = {
    filter: savedFilter ?? { text: '', states: [] },
    selected: selected ?? saved?.selected,
    compared: saved?.compared ?? [],
  };
  const saveState = (change: PanelBefore): void => {
    const now: TrainingPageState = { panel, ...change };
    vscode.setState(now);
  };
  saveState(before);
  const announcer = element('div', { role: 'status', class: 'visually-hidden' });
  document.body.append(announcer);
  const announce = (text: string): void => {
    announcer.textContent = text;
  };
  const context = { host, locale, announce };
  app.current = new TrainingApp(root, { context, before, saveState });
  await app.current.load(false);
}

const root = document.getElementById('app');
if (root) void main(root);
