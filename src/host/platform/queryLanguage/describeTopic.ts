import * as vscode from 'vscode';
import type { Topic } from '../../../core/query/language/completion';
import { describeOperator } from './describeOperator';
import { describeStage } from './describeStage';

/** Returns a sentence about a name in a query; undefined if the name is self-explanatory. */
export function describeTopic({ kind, name }: Topic): string | undefined {
  switch (kind) {
    case 'table':
      return name === 'readings'
        ? vscode.l10n.t('The readings of the organization, one row for each reading.')
        : undefined;
    case 'column':
      return describeColumn(name.replace(/^\$/, ''));
    case 'field':
      return name.startsWith('data.')
        ? vscode.l10n.t('A payload field. Other readings might not have it.')
        : undefined;
    case 'stage':
      return describeStage(name);
    case 'operator':
      return describeOperator(name);
    default:
      return undefined;
  }
}

function describeColumn(name: string): string | undefined {
  switch (name) {
    case 'organization_id':
      return vscode.l10n.t("The organization's ID.");
    case 'location_id':
      return vscode.l10n.t("ID of the machine's location at the time of capture.");
    case 'robot_id':
      return vscode.l10n.t('ID of the machine.');
    case 'part_id':
      return vscode.l10n.t('ID of the part of the machine that captured the reading.');
    case 'component_type':
      return vscode.l10n.t(
        'The API of the component or service, such as {0}.',
        'rdk:component:sensor',
      );
    case 'component_name':
      return vscode.l10n.t('The name of the component or service in the part config.');
    case 'method_name':
      return vscode.l10n.t('The method called on the component, such as {0}.', 'Readings');
    case 'time_requested':
      return vscode.l10n.t('The time of the request to the component, in UTC.');
    case 'time_received':
      return vscode.l10n.t("The time of the component's response, in UTC.");
    case 'tags':
      return vscode.l10n.t('Tags assigned when the reading was captured.');
    case 'additional_parameters':
      return vscode.l10n.t('The parameters of the request to the component.');
    case 'data':
      return vscode.l10n.t(
        'The response of the component. Sensor readings are in {0}.',
        'data.readings',
      );
    default:
      return undefined;
  }
}
