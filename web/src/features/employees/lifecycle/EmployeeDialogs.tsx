import type { DialogName } from '../search.ts';
import { AbsenceDialog } from '../absences/AbsenceDialog.tsx';
import { ChangeJob } from './ChangeJob.tsx';
import { Picture } from '../record/Picture.tsx';
import { Pause, Resume } from './Pause.tsx';
import { Confirm, CorrectEnd, Extend } from './Probation.tsx';
import { Rehire } from './Rehire.tsx';
import { Remove } from './Remove.tsx';
import { ResetPassword } from '../passwords/ResetPassword.tsx';
import { ResetSecondFactor } from '../passwords/ResetSecondFactor.tsx';
import { SwitchSignInOff } from '../passwords/SwitchSignInOff.tsx';
import { Separate } from './Separate.tsx';
import { Deactivate, WithReason, type StepProps } from './WithReason.tsx';

/** The dialog named in the address. */
export function EmployeeDialog({ name, ...step }: StepProps & { name: DialogName }) {
  switch (name) {
    case 'job':
      return <ChangeJob {...step} />;
    case 'absences':
      return <AbsenceDialog {...step} row={null} />;
    case 'confirm':
      return <Confirm {...step} />;
    case 'extend-probation':
      return <Extend {...step} />;
    case 'correct-probation':
      return <CorrectEnd {...step} />;
    case 'probation-pause':
      return <Pause {...step} />;
    case 'probation-resume':
      return <Resume {...step} />;
    case 'separate':
      return <Separate {...step} />;
    case 'rehire':
      return <Rehire {...step} />;
    case 'deactivate':
      return <Deactivate {...step} />;
    case 'withdraw-separation':
    case 'reactivate':
    case 'restore':
      return <WithReason {...step} step={name} />;
    case 'reset-password':
      return <ResetPassword {...step} />;
    case 'second-factor':
      return <ResetSecondFactor {...step} />;
    case 'sign-in-block':
      return <SwitchSignInOff {...step} />;
    case 'delete':
      return <Remove {...step} />;
    case 'picture':
      return <Picture {...step} />;
  }
}
