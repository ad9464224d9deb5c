import type { OrganizationId } from './ids';

/** The languages of questions about readings (spec part 1, TabularDataBySQL and TabularDataByMQL). */
export type QueryLanguage = 'sql' | 'mql';

/** A question about the readings of an organization, ready to be asked: its parameters are filled in. */
export interface FleetQuery {
  readonly organizationId: OrganizationId;
  readonly language: QueryLanguage;
  /** One SELECT over the table `readings`, or a pipeline: a JSON list of stages. */
  readonly text: string;
  /** Only what was stored of late. The wire knows it for MQL alone. */
  readonly recent: boolean;
}

/** A stretch of a query's text, in UTF-16 code units as editors count. The end is excluded. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
