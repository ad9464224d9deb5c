import '../messaging/loadTranslations';
import {
  isQueryPanelState,
  type QueryPanelState,
  queryProtocol,
} from '../../src/shared/query/queryPanel';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { ResultsView } from '../results/resultsView';
import { defineElements } from '../ui/designSystem';
import { element } from '../ui/elements';
import { createViewStateStore } from '../ui/createViewStateStore';
import { QueryApp } from './queryApp';
import '../ui/theme.css';
import '../ui/controls.css';
import '../ui/panel.css';
import './query.css';
import './parameters.css';
import './problems.css';
import './emptyState.css';
import './editor/editor.css';
import './editor/editorHints.css';
import './history/history.css';

declare const acquireVsCodeApi: () => VsCodeApi;

async function main(root: HTMLElement): Promise<void> {
  defineElements();
  const vscode = acquireVsCodeApi();
  const app: { current?: QueryApp } = {};
  const host = new HostConnection(queryProtocol, vscode, {
    resultShown: (shown) => app.current?.resultShown(shown),
    resultChanged: (status) => app.current?.resultChanged(status),
    queryInserted: (query) => app.current?.setQueryText(query),
    organizationNamed: ({ name }) => app.current?.organizationNamed(name),
    problemChanged: (errorState) => app.current?.showErrorState(errorState),
  });
  host.listen();
  const start = await host.request('ready', undefined);
  const { locale, panel, organization, language, texts, recent, parameters } = start;
  document.documentElement.lang = locale;
  const before = vscode.getState();
  // Text that the user wrote after the panel was opened is saved only in this state.
  const isBefore = isQueryPanelState(before) && before.panel === panel;
  let state: QueryPanelState = isBefore
    ? before
    : { panel, language, texts, recent, parameters, views: {} };
  const saveState = (change: Partial<QueryPanelState>): void => {
    state = { ...state, ...change };
    vscode.setState(state);
  };
  saveState({});
  const announcer = element('div', { role: 'status', class: 'visually-hidden' });
  document.body.append(announcer);
  const announce = (text: string): void => {
    announcer.textContent = text;
  };
  const viewStates = createViewStateStore(state.views, (views) => saveState({ views }));
  const results = new ResultsView({
    host,
    locale,
    viewStates,
    announce,
    hasCancel: true,
    editQuery: () => app.current?.focusEditor(),
  });
  app.current = new QueryApp(root, {
    context: { host, locale },
    organization,
    begin: state,
    viewStates,
    saveState,
    results,
  });
  host.send('begin', undefined);
}

const root = document.getElementById('app');
if (root) void main(root);
