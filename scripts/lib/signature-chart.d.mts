export interface Rows {
  readonly from: number;
  readonly to: number;
}
export interface Panel {
  readonly metric: string;
  readonly values: ArrayLike<number>;
  readonly threshold?: number;
  readonly early?: Rows;
  readonly late?: Rows;
}
export function signatureChart(picture: {
  readonly title: string;
  readonly steps: ArrayLike<number>;
  readonly onset: number;
  readonly panels: readonly Panel[];
}): string;
