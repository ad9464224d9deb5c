import '../../../webview/messaging/loadTranslations';
import { resultMessages, type ShownResult } from '../../../src/shared/query/results';
import { HostConnection, type VsCodeApi } from '../../../webview/messaging/hostConnection';
import { ResultsView } from '../../../webview/results/resultsView';
import { createViewStateStore } from '../../../webview/ui/createViewStateStore';

declare const acquireVsCodeApi: () => VsCodeApi;

/** Functions that a page with result views provides to tests. */
export interface ResultsApp {
  /** Adds a result view like that of a notebook cell. */
  open(): void;
  show(shown: ShownResult, view?: number): void;
  /** Messages announced to screen readers. */
  readonly announcements: readonly string[];
}

const views: ResultsView[] = [];
const announcements: string[] = [];
const vscode = acquireVsCodeApi();
const host = new HostConnection(resultMessages, vscode, {
  resultChanged: (status) => views.forEach((view) => view.changed(status)),
});
host.listen();

const root = document.getElementById('app');
root?.style.setProperty('display', 'flex');
root?.style.setProperty('flex-direction', 'column');
root?.style.setProperty('height', '100vh');
// Represents the heading of the surrounding page.
const heading = document.createElement('h1');
heading.className = 'visually-hidden';
heading.textContent = 'Query';
root?.append(heading);

function getSavedState(): Readonly<Record<string, unknown>> {
  const saved = vscode.getState();
  return typeof saved === 'object' && saved !== null ? { ...saved } : {};
}

const app: ResultsApp = {
  announcements,
  open: () => {
    const view = new ResultsView({
      host,
      locale: 'en-US',
      announce: (text) => announcements.push(text),
      viewStates: createViewStateStore(getSavedState(), (updatedViews) =>
        vscode.setState(updatedViews),
      ),
    });
    view.element.style.flex = '1';
    views.push(view);
    root?.append(view.element);
  },
  show: (shown, view = 0) => views[view]?.show(shown),
};
Object.assign(window, { resultsApp: app });
