import * as vscode from 'vscode';
import { hasRight } from '../../../core/model/permissions';
import type { DataFilter } from '../../../shared/data/dataFilter';
import type { DataTab, panelMessages } from '../../../shared/data/dataPanel';
import type { HostHandlers } from '../../../shared/protocol';
import type { Commands } from '../../platform/commands/commandRegistry';
import { createRecoveryHandlers } from '../../platform/webview/recoveryActions';
import type { DataSession } from './dataSession';
import { type DescribedPanel, describePanel } from './panelDescription';

interface PanelPage extends DescribedPanel {
  readonly session: DataSession;
  /** Filter to restore when the user clears the filter. */
  readonly opened: DataFilter;
  readonly commands: Pick<Commands, 'execute'>;
  /** URI that the webview can load. */
  readonly pointCloudScript: string;
  readonly tab: () => DataTab;
  readonly setTab: (tab: DataTab) => void;
  readonly title: () => string;
  /** Records the permission that was sent to the page. */
  readonly recordMayWrite: (may: boolean) => void;
  /** Returns true if a filter is applied and nothing has changed since then. */
  readonly isUpToDate: () => boolean;
  /** Sends the already applied filter to the page. */
  readonly resendFilter: () => void;
}

/** Returns the handlers for messages about the panel as a whole. */
export function panelHandlers(page: PanelPage): HostHandlers<typeof panelMessages> {
  const { session, target, owner, opened, commands, pointCloudScript } = page;
  const canWrite = async (): Promise<boolean> =>
    !session.isSignedIn ||
    hasRight(target.kind, await session.stores.access.mayWith(target), 'writeData');
  return {
    ready: async () => {
      const may = await canWrite();
      page.recordMayWrite(may);
      return {
        locale: vscode.env.language,
        panel: describePanel({ target, owner }),
        filter: session.filter,
        opened,
        tab: page.tab(),
        title: page.title(),
        canWrite: may,
        pointCloudScript,
      };
    },
    begin: () => (page.isUpToDate() ? page.resendFilter() : session.apply()),
    setFilter: ({ filter }) => session.apply(filter),
    refresh: () => session.apply(),
    setTab: ({ tab }) => page.setTab(tab),
    ...createRecoveryHandlers(commands, () => session.apply()),
  };
}
