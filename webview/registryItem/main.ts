import '../messaging/loadTranslations';
import {
  isRegistryItemPageState,
  type RegistryItemPageState,
  registryItemProtocol,
} from '../../src/shared/registryItem';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { element } from '../ui/elements';
import { type PageBefore, RegistryItemApp } from './registryItemApp';
import '../ui/theme.css';
import '../ui/controls.css';
import './registryItem.css';
import './metrics.css';
import './markdown/markdown.css';

declare const acquireVsCodeApi: () => VsCodeApi;

async function main(root: HTMLElement): Promise<void> {
  defineElements();
  const vscode = acquireVsCodeApi();
  const app: { current?: RegistryItemApp } = {};
  const host = new HostConnection(registryItemProtocol, vscode, {
    changed: () => void app.current?.load(false),
    chosen: ({ version }) => void app.current?.showMetrics(version),
  });
  host.listen();
  const { locale, panel, version } = await host.request('ready', undefined);
  document.documentElement.lang = locale;
  const state = vscode.getState();
  const isBefore = isRegistryItemPageState(state) && state.panel === panel;
  const before: PageBefore = isBefore ? state : { unfolded: [], scrolled: 0 };
  const saveState = (change: PageBefore): void => {
    const pageState: RegistryItemPageState = { panel, ...change };
    vscode.setState(pageState);
  };
  saveState({ unfolded: before.unfolded, scrolled: before.scrolled, version: before.version });
  const announcer = element('div', { role: 'status', class: 'visually-hidden' });
  document.body.append(announcer);
  const announce = (text: string): void => {
    announcer.textContent = text;
  };
  const context = { host, locale };
  app.current = new RegistryItemApp(root, { context, before, saveState, announce });
  if (version === undefined) await app.current.load(false);
  else await app.current.showMetrics(version);
}

const root = document.getElementById('app');
if (root) void main(root);
