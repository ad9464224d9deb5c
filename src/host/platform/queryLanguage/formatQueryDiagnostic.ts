import * as vscode from 'vscode';
import { formatJsonSyntaxError } from '../../../core/documents/formatJsonProblem';
import type { Diagnostic, Fix } from '../../../core/query/language/languageFeatures';

/** Returns the localized message for an error or warning. */
export function formatQueryDiagnostic({
  rule,
  subject,
}: Pick<Diagnostic, 'rule' | 'subject'>): string {
  switch (rule) {
    case 'notClosed':
      return vscode.l10n.t('{0} is never closed.', subject);
    case 'bracket':
      return vscode.l10n.t('The bracket {0} has no matching bracket.', subject);
    case 'notSelect':
      return vscode.l10n.t('A query must begin with SELECT, FROM, or WITH, not with {0}.', subject);
    case 'severalStatements':
      return vscode.l10n.t(
        'A query must be a single statement. Select the one to run, or put it in a separate file.',
      );
    case 'notJson':
      return formatJsonSyntaxError(vscode.l10n, subject);
    case 'notPipeline':
      return vscode.l10n.t('A pipeline is a list of stages, such as {0}.', EXAMPLE);
    case 'notStage':
      return vscode.l10n.t(
        'A stage must be an object with one field, its name, such as {0}.',
        STAGE,
      );
    case 'unknownStage':
      return vscode.l10n.t("The stage {0} doesn't exist.", subject);
    case 'unknownOperator':
      return vscode.l10n.t("The operator {0} doesn't exist.", subject);
    case 'unknownTable':
      return vscode.l10n.t(
        'The table {0} doesn\'t exist. Readings are in the table "readings".',
        subject,
      );
    case 'unknownColumn':
      return vscode.l10n.t('The readings have no column {0}.', subject);
    case 'aliasNeedsAs':
      return vscode.l10n.t(
        '"{0}" is a DuckDB keyword. To use it as an alias, write AS before it.',
        subject,
      );
    case 'unknownField':
      return vscode.l10n.t('None of the latest readings has {0}.', subject);
    case 'noLimit':
      return vscode.l10n.t('There is no limit. Every matching reading is uploaded.');
    case 'noLowerTimeBound':
      return vscode.l10n.t(
        'The filter has no lower bound for {0}. Without one, the public cloud returns no data, and other services search all readings, which takes longer as data grows.',
        subject,
      );
    case 'groupNotPushedDown':
      return vscode.l10n.t(
        'Because of {0}, readings are grouped individually instead of by the database. This is slow for many readings, and fails if it needs too much memory.',
        subject,
      );
  }
}

const EXAMPLE = '[{ "$limit": 10 }]';
const STAGE = '{ "$limit": 10 }';

/** Returns the title of a quick fix. */
export function formatFix({ kind, subject }: Pick<Fix, 'kind' | 'subject'>): string {
  switch (kind) {
    case 'addLimit':
      return vscode.l10n.t('Limit to the first {0} rows', subject);
    case 'addTimeBound':
      return vscode.l10n.t('Limit to the last day');
    case 'replace':
      return vscode.l10n.t('Change to {0}', subject);
  }
}
