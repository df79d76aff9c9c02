export { isShownInPlace, problemsOf as fieldProblems } from '../../parts/problems';
