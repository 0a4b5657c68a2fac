import { openProbationStatuses, type ProbationStatus } from '@tenure/contract';

/** Whether a review in this state is still to be decided. */
export const isOpenReview = (status: ProbationStatus) => openProbationStatuses.some((open) => open === status);
