import type { OrganizationId } from './ids';

/** Query languages for readings (spec part 1, TabularDataBySQL and TabularDataByMQL). */
export type QueryLanguage = 'sql' | 'mql';

/** Query over the readings of an organization, ready to run: its parameters are filled in. */
export interface FleetQuery {
  readonly organizationId: OrganizationId;
  readonly language: QueryLanguage;
  /** A SELECT over the table `readings`, or a pipeline: a JSON list of stages. */
  readonly text: string;
  /** True to query only recent data, which the wire supports only for MQL. */
  readonly recent: boolean;
}

/** Range of a query's text, in UTF-16 code units as in editors. The end is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
