import { editorArea, TabInputNotebook } from '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import { RendererPages } from '../../../../../src/host/features/notebooks/rendererPages';
import type { HostHandlers } from '../../../../../src/shared/protocol';
import {
  packMessage,
  type QueryNotebookProtocol,
} from '../../../../../src/shared/query/queryNotebook';
import { silentLogger } from '../../../../support/silentLogger';

describe('output pages of notebooks', () => {
  const uri = { toString: () => 'file:///parts.fleetnb' };
  let requests: AbortSignal[];
  let pages: RendererPages;

  beforeEach(() => {
    requests = [];
    // A request that is never answered ends only with its page.
    const handlers: Partial<HostHandlers<QueryNotebookProtocol>> = {
      begin: (_, signal) => {
        requests.push(signal);
        return new Promise(() => undefined);
      },
    };
    pages = new RendererPages({
      handlers: () => Promise.resolve(handlers as HostHandlers<QueryNotebookProtocol>),
      presentError: assert.ifError,
      log: silentLogger,
    });
  });

  afterEach(() => {
    pages.dispose();
  });

  it('end with the last tab of their notebook, even if the notebook stays open', async () => {
    const tabs = [new TabInputNotebook(uri), new TabInputNotebook(uri)] as const;
    tabs.forEach(editorArea.open);
    editorArea.sendFromOutput(
      { uri },
      packMessage('page', { type: 'request', id: 1, method: 'begin' }),
    );
    await new Promise(setImmediate);
    const isAborted = (): readonly boolean[] => requests.map(({ aborted }) => aborted);
    assert.deepEqual(isAborted(), [false]);
    editorArea.close(tabs[0]);
    assert.deepEqual(isAborted(), [false]);
    editorArea.close(tabs[1]);
    assert.deepEqual(isAborted(), [true]);
  });
});
