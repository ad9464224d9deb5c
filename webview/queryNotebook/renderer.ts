import {
  isPackedMessage,
  packMessage,
  queryNotebookProtocol,
  unpackMessage,
} from '../../src/shared/query/queryNotebook';
import { HostConnection } from '../messaging/hostConnection';
import { defineElements } from '../ui/designSystem';
import { type NotebookRenderer, type RendererContext, ResultOutputs } from './resultOutputs';
import '../ui/theme.css';
import './queryNotebook.css';
import { element } from '../ui/elements';

/** Called by VS Code once for each notebook editor with results to show. */
export function activate(context: RendererContext): NotebookRenderer {
  defineElements();
  const styles = loadStyles();
  const page = pageName();
  const host = new HostConnection(
    queryNotebookProtocol,
    { postMessage: (message) => context.postMessage(packMessage(page, message)) },
    { resultChanged: (status) => outputs.changed(status) },
  );
  const outputs = new ResultOutputs(host, styles);
  context.onDidReceiveMessage((message) => {
    if (isPackedMessage(message) && message.page === page) host.receive(unpackMessage(message));
  });
  return outputs;
}

/**
 * Returns a name that distinguishes this page from other editors' pages, which receive the same
 * messages.
 */
function pageName(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/**
 * Loads the style sheet next to this script, which applies only within Fleetwright's outputs (see
 * `bundles.ts`). Resolves when the style sheet is loaded, because row heights are measured
 * afterward.
 */
function loadStyles(): Promise<void> {
  const href = new URL('queryNotebook.css', import.meta.url).href;
  const link = element('link', { rel: 'stylesheet', href });
  return new Promise((resolve) => {
    // If the style sheet fails to load, show the result without styles.
    for (const over of ['load', 'error']) link.addEventListener(over, () => resolve());
    document.head.append(link);
  });
}
