import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { BrowsableTarget } from '../../../../manifest/commands';
import type { DataTab } from '../../../../shared/data/dataTabs';
import type { filterMessages } from '../../../../shared/data/filterMessages';
import type { HostHandlers } from '../../../../shared/protocol';
import type { Commands } from '../../../platform/commandRegistry';
import { showStatusMessage } from '../../../platform/statusMessage';
import type { PickTarget } from '../../../platform/targetPicker';
import { dataLink, type DataView } from '../dataLink';
import type { DataSession } from '../dataSession';
import { FilterCompletions } from './completions';
import { getOwner } from './filterFor';
import { narrowedTo } from './narrowedTo';
import { queryFilter } from './queryFilter';
import { pickSavedFilter, saveFilter } from './savedFilterPick';
import type { SavedFilters } from './savedFilters';

function tooLongForLink(): FleetError {
  const message = vscode.l10n.t(
    'This filter is too long for a link. Save it under a name instead.',
  );
  return new FleetError('invalid', message);
}

export interface FilterTools {
  readonly session: DataSession;
  /** Target for which the panel was opened. */
  readonly target: BrowsableTarget;
  readonly tab: () => DataTab;
  /** Shows a view in the panel. */
  readonly open: (view: Pick<DataView, 'filter' | 'tab'>) => Promise<void>;
  readonly pickTarget: PickTarget;
  readonly commands: Pick<Commands, 'execute'>;
  readonly savedFilters: SavedFilters;
  readonly serviceUrl: () => string | undefined;
}

/** Returns the handlers for filter messages of a panel. */
export function filterHandlers(tools: FilterTools): HostHandlers<typeof filterMessages> {
  const { session, target, tab, pickTarget, savedFilters } = tools;
  const completions = new FilterCompletions();
  const { connectionId } = session;
  const view = (): { target: BrowsableTarget; filter: typeof session.filter; tab: DataTab } => ({
    ...{ target, filter: session.filter, tab: tab() },
  });
  return {
    pickPlace: async ({ kind }) => {
      const picked = await pickTarget(kind, connectionId);
      const owner = await getOwner(session.stores, picked);
      await session.apply(narrowedTo(session.filter, picked, owner));
    },
    complete: ({ field, text }) => completions.complete(session.current, field, text),
    saveFilter: () => saveFilter(savedFilters, view()),
    openSavedFilter: async () => tools.open(await pickSavedFilter(savedFilters, connectionId)),
    queryReadings: () => queryFilter(session, target, tools.commands),
    copyLink: async () => {
      const link = dataLink(vscode.env.uriScheme, { ...view(), service: tools.serviceUrl() ?? '' });
      if (link === undefined) throw tooLongForLink();
      await vscode.env.clipboard.writeText(link);
      showStatusMessage(vscode.l10n.t('Copied the link to this view'));
    },
  };
}
