import '../messaging/loadTranslations';
import * as l10n from '@vscode/l10n';
import { fileResultProtocol, isFileResultState } from '../../src/shared/query/fileResult';
import { HostConnection, type VsCodeApi } from '../messaging/hostConnection';
import { ResultsView } from '../results/resultsView';
import { RunHeader } from '../results/runHeader';
import { defineElements } from '../ui/designSystem';
import { element, toolButton } from '../ui/elements';
import { createViewStateStore } from '../ui/createViewStateStore';
import '../ui/theme.css';
import '../ui/panel.css';
import './fileResult.css';

declare const acquireVsCodeApi: () => VsCodeApi;

async function main(root: HTMLElement): Promise<void> {
  defineElements();
  const vscode = acquireVsCodeApi();
  const views: { current?: ResultsView } = {};
  let run = '';
  let savedViews: Readonly<Record<string, unknown>> = {};
  const save = (): void => vscode.setState({ run, views: savedViews });
  const host = new HostConnection(fileResultProtocol, vscode, {
    resultShown: (next) => {
      run = next.run;
      save();
      const { current } = views;
      if (!current) return;
      if (current.element.parentElement !== root) {
        root.replaceChildren(heading, serviceNotice, current.element);
      }
      current.show(next.shown);
    },
    resultChanged: (status) => views.current?.changed(status),
    serviceChanged: ({ problem }) => {
      serviceNotice.textContent = problem ?? '';
      serviceNotice.hidden = problem === undefined;
    },
  });
  const serviceNotice = element('div', { class: 'service-notice', role: 'alert' });
  serviceNotice.hidden = true;
  const heading = element('h1', { class: 'visually-hidden', dir: 'auto' });
  host.listen();
  const start = await host.request('ready', undefined);
  const { locale, origin } = start;
  run = start.run;
  heading.textContent = start.title;
  document.documentElement.lang = locale;
  const before = vscode.getState();
  if (isFileResultState(before)) savedViews = before.views;
  save();
  const announcer = element('div', { role: 'status', class: 'visually-hidden' });
  document.body.append(announcer);
  const showSource = (): void => host.send('showSource', undefined);
  const header = new RunHeader({ locale, showSource });
  header.show(origin);
  const notice = element(
    'div',
    { class: 'result-state' },
    element(
      'p',
      {},
      l10n.t(
        'The rows were discarded when the window was reloaded. Run the statement again to view them.',
      ),
    ),
    toolButton(l10n.t('Run Again'), () => host.send('runAgain', undefined), {
      focusKey: 'run again',
      hint: l10n.t('Run this statement again, with the same values'),
      class: 'bordered',
    }),
  );
  if (start.isLost) {
    const lost = element('section', { class: 'results' }, header.element, notice);
    root.replaceChildren(heading, serviceNotice, lost);
  }
  views.current = new ResultsView({
    host,
    locale,
    showSource,
    editQuery: showSource,
    viewStates: createViewStateStore(savedViews, (next) => {
      savedViews = next;
      save();
    }),
    announce: (text) => {
      announcer.textContent = text;
    },
  });
  host.send('begin', undefined);
}

const root = document.getElementById('app');
if (root) void main(root);
