"""AdamW for a model whose weights are rounded as they are stored: 7 bits and a scale per output.

Without this, fine-tuning is lost: it moves weights by a fiftieth of a rounding step, and the original weights lie on
the steps, so rounding at the end would restore them exactly. Gradients pass as if nothing were rounded.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from training.encoder import round_matrix


class RoundedAdam:
    """Trains exact copies of a model's weights; after every step the model gets them rounded.

    `average` is the decay of a mean of the exact weights over the steps; 0 keeps none.
    """

    def __init__(self, model: nn.Module, device: str, average: float = 0.0) -> None:
        named = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
        self._used = [weight for _, weight in named]
        self._is_matrix = ["layers." in name and weight.dim() == 2 for name, weight in named]
        self._exact = [weight.detach().clone().requires_grad_() for weight in self._used]
        self._adam = torch.optim.AdamW(self._exact, lr=0.0, weight_decay=0.01, fused=device == "cuda")
        self._average, self._steps = average, 0
        self._mean = [weight.detach().clone() for weight in self._exact] if average else []

    def step(self, loss: Tensor, rate: float) -> None:
        for weight in self._used:
            weight.grad = None
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._used, 1.0)
        for exact, weight in zip(self._exact, self._used, strict=True):
            exact.grad = weight.grad
        for group in self._adam.param_groups:
            group["lr"] = rate + 1e-8
        self._adam.step()
        self._steps += 1
        if self._mean:
            decay = min(self._average, (1 + self._steps) / (10 + self._steps))
            torch._foreach_lerp_(self._mean, [weight.detach() for weight in self._exact], 1 - decay)
        self._hand_over(self._exact)

    def finish(self) -> None:
        """Gives the model the mean of the weights, if one was kept."""
        if self._mean:
            self._hand_over(self._mean)

    def _hand_over(self, weights: list[Tensor]) -> None:
        with torch.no_grad():
            for used, weight, is_matrix in zip(self._used, weights, self._is_matrix, strict=True):
                used.copy_(round_matrix(weight) if is_matrix else weight)
