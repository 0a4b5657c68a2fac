import { openProbationStatuses, type ProbationStatus } from '@tenure/contract';

/** Whether a review in this state is still undecided. */
export const isOpenReview = (status: ProbationStatus) => openProbationStatuses.some((open) => open === status);
