import * as vscode from 'vscode';
import type { HostHandlers } from '../../../shared/protocol';
import type { QueryText } from '../../../shared/query/editor';
import type { queryPanelMessages } from '../../../shared/query/queryPanel';
import type { Commands } from '../../platform/commandRegistry';
import { createRecoveryHandlers } from '../../platform/wayOut';
import { describeOrganization } from '../../platform/describedOrganization';
import { openQuery, saveQuery } from './files/savedQueries';
import type { PanelStart } from './panelStart';
import { type PickedFrom, pickId, pickParameter } from './parameters/pickedIds';
import type { QuerySession } from './querySession';
import { queryStrings } from './queryStrings';

interface PanelPage {
  readonly session: QuerySession;
  readonly start: PanelStart;
  readonly commands: Pick<Commands, 'execute'>;
  readonly pickFrom: PickedFrom;
  /** Called when the page is loaded and can receive messages. */
  readonly begun: () => void;
  /** Checks again whether queries can be run. */
  readonly recheck: () => unknown;
  /** Inserts text into the editor. */
  readonly give: (text: QueryText) => void;
  /** Called when the text has been saved to a file. */
  readonly saved: (uri: vscode.Uri) => Promise<void>;
}

type PanelHandlers = Omit<
  HostHandlers<typeof queryPanelMessages>,
  'searchHistory' | 'forgetQuery' | 'forgetHistory'
>;

/** Returns the handlers for messages of the panel as a whole. */
export function panelHandlers(page: PanelPage): PanelHandlers {
  const { session, start, commands, pickFrom } = page;
  const { target, language, texts, recent, parameters } = start;
  return {
    ready: () =>
      Promise.resolve({
        ...{ strings: queryStrings(), locale: vscode.env.language },
        ...{ panel: describeOrganization(target), organization: target.name },
        ...{ language, texts, recent, parameters },
      }),
    begin: () => page.begun(),
    runQuery: (query) => Promise.resolve({ result: session.runQuery(query).run.id }),
    ...createRecoveryHandlers(commands, page.recheck),
    pickParameter: async ({ name }) => ({ value: await pickParameter(pickFrom, name) }),
    pickId: async () => ({ value: await pickId(pickFrom) }),
    saveQuery: (text) => saveQuery(text, page.saved),
    openQuery: async () => {
      const text = await openQuery();
      if (text) page.give(text);
    },
  };
}
